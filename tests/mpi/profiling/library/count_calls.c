// A tool as a library of its own, for LD_PRELOAD: counts what goes through MPI_Send and MPI_Recv
// and tells it in MPI_Finalize. Its counters are ordinary globals.
#include <mpi.h>

#include <stdio.h>

static int sends, receives;
static long bytes;

int MPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
    int size;
    PMPI_Type_size(datatype, &size);
    ++sends;
    bytes += (long)count * size;
    return PMPI_Send(buf, count, datatype, dest, tag, comm);
}

int MPI_Recv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
             MPI_Status *status) {
    ++receives;
    return PMPI_Recv(buf, count, datatype, source, tag, comm, status);
}

int MPI_Finalize(void) {
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    printf("tool: rank %d sent %d messages of %ld bytes and received %d\n", rank, sends, bytes,
           receives);
    return PMPI_Finalize();
}
