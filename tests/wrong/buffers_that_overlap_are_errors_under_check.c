// With --check, a collective call whose send and receive buffers overlap fails with MPI_ERR_BUFFER
// (MPI 5.0 section 2.3), in all three forms.
// ranks: 1 3
// modes: fibers-1 fibers-2 os-threads
// options: --check
// expect: ^all refused$
// expect-not: warning
#include "check.h"

#include <mpi.h>

#include <string.h>

#define REFUSED(call, argument)                                                                    \
    do {                                                                                           \
        const int code = call;                                                                     \
        CHECK_ERROR(code, MPI_ERR_BUFFER);                                                         \
        MPI_Error_string(code, text, &length);                                                     \
        CHECK(strstr(text, "sendbuf and recvbuf overlap: pass MPI_IN_PLACE as " argument));        \
    } while (0)

static char text[MPI_MAX_ERROR_STRING];
static int length, b[64], ones[8] = {1, 1, 1, 1, 1, 1, 1, 1}, places[8] = {0, 1, 2, 3, 4, 5, 6, 7};

static void check_root(int rank, MPI_Comm comm) {
    const MPI_Datatype t = MPI_INT;
    // Each rank is the root of its own call, which does not reach the others.
    REFUSED(MPI_Gather(b, 1, t, b, 1, t, rank, comm), "sendbuf");
    REFUSED(MPI_Gatherv(b, 1, t, b, ones, places, t, rank, comm), "sendbuf");
    REFUSED(MPI_Scatter(b, 1, t, b, 1, t, rank, comm), "recvbuf");
    REFUSED(MPI_Scatterv(b, ones, places, t, b, 1, t, rank, comm), "recvbuf");
    REFUSED(MPI_Reduce(b, b, 1, t, MPI_SUM, rank, comm), "sendbuf");
}

int main(int argc, char **argv) {
    const MPI_Datatype t = MPI_INT;
    const MPI_Datatype types[8] = {t, t, t, t, t, t, t, t};
    const MPI_Comm comm = MPI_COMM_WORLD;
    int rank;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_rank(comm, &rank);
    check_root(rank, comm);
    REFUSED(MPI_Allgather(b, 1, t, b, 1, t, comm), "sendbuf");
    REFUSED(MPI_Allgatherv(b, 1, t, b, ones, places, t, comm), "sendbuf");
    REFUSED(MPI_Alltoall(b, 1, t, b, 1, t, comm), "sendbuf");
    REFUSED(MPI_Alltoallv(b, ones, places, t, b, ones, places, t, comm), "sendbuf");
    REFUSED(MPI_Alltoallw(b, ones, places, types, b, ones, places, types, comm), "sendbuf");
    REFUSED(MPI_Allreduce(b, b, 1, t, MPI_SUM, comm), "sendbuf");
    REFUSED(MPI_Allreduce(b, b, 1, MPI_SHORT_INT, MPI_MAXLOC, comm), "sendbuf");
    REFUSED(MPI_Reduce_scatter(b, b, ones, t, MPI_SUM, comm), "sendbuf");
    REFUSED(MPI_Reduce_scatter_block(b, b, 1, t, MPI_SUM, comm), "sendbuf");
    REFUSED(MPI_Scan(b, b, 1, t, MPI_SUM, comm), "sendbuf");
    REFUSED(MPI_Iallreduce(b, b, 1, t, MPI_SUM, comm, &request), "sendbuf");
    REFUSED(MPI_Iallgather(b, 1, t, b, 1, t, comm, &request), "sendbuf");
    REFUSED(MPI_Allreduce_init(b, b, 1, t, MPI_SUM, comm, MPI_INFO_NULL, &request), "sendbuf");
    if (rank == 0)
        printf("all refused\n");
    MPI_Finalize();
    return 0;
}
