// MPI 5.0 section 15.2.1: "all of the MPI defined functions, except those allowed as macros ...,
// may be accessed with a name shift", the prefix PMPI_; "those MPI functions that are not replaced
// may still be linked into an executable image without causing name clashes."
// ranks: 1 4
#include "world.h"

static int inits, waits, allreduces, frees, finalizes;

int MPI_Init(int *argc, char ***argv) {
    ++inits;
    return PMPI_Init(argc, argv);
}

int MPI_Wait(MPI_Request *request, MPI_Status *status) {
    ++waits;
    return PMPI_Wait(request, status);
}

int MPI_Allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                  MPI_Comm comm) {
    ++allreduces;
    return PMPI_Allreduce(sendbuf, recvbuf, count, datatype, op, comm);
}

// Made of another function: what the program asks for is not what the library is asked for.
int MPI_Comm_free(MPI_Comm *comm) {
    ++frees;
    return PMPI_Comm_disconnect(comm);
}

int MPI_Finalize(void) {
    ++finalizes;
    return PMPI_Finalize();
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Request request;
    MPI_Comm comm;
    int in = -1, sum = 0;
    CHECK_SUCCESS(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    CHECK_SUCCESS(MPI_Irecv(&in, 1, MPI_INT, (rank + 1) % size, 0, comm, &request));
    CHECK_SUCCESS(MPI_Send(&rank, 1, MPI_INT, (rank + size - 1) % size, 0, comm));
    CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_SUCCESS(MPI_Allreduce(&in, &sum, 1, MPI_INT, MPI_SUM, comm));
    CHECK_EQUAL(sum, size * (size - 1) / 2);
    // The library's own waits and reductions are none of the program's.
    CHECK_SUCCESS(MPI_Barrier(comm));
    CHECK_SUCCESS(MPI_Comm_free(&comm));
    CHECK(comm == MPI_COMM_NULL);
    CHECK(inits == 1 && waits == 1 && allreduces == 1 && frees == 1 && finalizes == 0);
    finish();
    return finalizes == 1 ? 0 : 1;
}
