// With --check, members of a collective operation whose types differ get MPI_ERR_TYPE (MPI 5.0
// section 6.1).
// ranks: 2 3
// modes: fibers-1 fibers-2 os-threads
// options: --check
// expect: ^all refused$
// expect-not: warning
#include "check.h"

#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const MPI_Datatype type = rank == 0 ? MPI_FLOAT : MPI_INT;
    int value[8] = {0}, result[8];
    MPI_Request request;
    CHECK_ERROR(MPI_Allreduce(value, result, 1, type, MPI_MAX, MPI_COMM_WORLD), MPI_ERR_TYPE);
    CHECK_ERROR(MPI_Scan(value, result, 1, type, MPI_MAX, MPI_COMM_WORLD), MPI_ERR_TYPE);
    CHECK_ERROR(MPI_Allgather(value, 1, type, result, 1, type, MPI_COMM_WORLD), MPI_ERR_TYPE);
    CHECK_ERROR(MPI_Alltoall(value, 1, type, result, 1, type, MPI_COMM_WORLD), MPI_ERR_TYPE);
    CHECK_ERROR(MPI_Gather(value, 1, type, result, 1, type, 0, MPI_COMM_WORLD), MPI_ERR_TYPE);
    CHECK_SUCCESS(MPI_Iallreduce(value, result, 1, type, MPI_MAX, MPI_COMM_WORLD, &request));
    CHECK_ERROR(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_ERR_TYPE);
    CHECK_SUCCESS(MPI_Iallgather(value, 1, type, result, 1, type, MPI_COMM_WORLD, &request));
    CHECK_ERROR(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_ERR_TYPE);
    // The root has sent what it wanted to send.
    const int bcast = MPI_Bcast(value, 1, type, 0, MPI_COMM_WORLD);
    CHECK_SUCCESS(MPI_Ibcast(value, 1, type, 0, MPI_COMM_WORLD, &request));
    const int ibcast = MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank > 0) {
        CHECK_ERROR(bcast, MPI_ERR_TYPE);
        CHECK_ERROR(ibcast, MPI_ERR_TYPE);
    }
    if (rank == 0)
        printf("all refused\n");
    MPI_Finalize();
    return 0;
}
