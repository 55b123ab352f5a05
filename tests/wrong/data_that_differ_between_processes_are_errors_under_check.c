// With --check types and amounts that differ in collective operations are errors, which the error
// handler of the receiver gets, between processes, too.
// ranks: 3
// options: --check
// modes: processes processes-2
// expect: ^all seen$
// expect-not: warning
#include "check.h"

#include <mpi.h>

static void check_class(int code, int expected) {
    int class;
    MPI_Error_class(code, &class);
    CHECK(class == expected);
}

int main(int argc, char **argv) {
    int rank, data[8] = {0};
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    const int wrong_type = rank == 1 ? MPI_ERR_TYPE : MPI_SUCCESS;
    const int wrong_count = rank == 1 ? MPI_ERR_COUNT : MPI_SUCCESS;
    check_class(MPI_Bcast(data, 2, rank == 1 ? MPI_FLOAT : MPI_INT, 0, MPI_COMM_WORLD), wrong_type);
    check_class(MPI_Bcast(data, rank == 1 ? 4 : 2, MPI_INT, 0, MPI_COMM_WORLD), wrong_count);
    check_class(MPI_Bcast(data, 8, rank == 1 ? MPI_BYTE : MPI_CHAR, 0, MPI_COMM_WORLD), wrong_type);
    MPI_Ibcast(data, 2, rank == 1 ? MPI_FLOAT : MPI_INT, 0, MPI_COMM_WORLD, &request);
    check_class(MPI_Wait(&request, MPI_STATUS_IGNORE), wrong_type);
    MPI_Ibcast(data, rank == 1 ? 4 : 2, MPI_INT, 0, MPI_COMM_WORLD, &request);
    check_class(MPI_Wait(&request, MPI_STATUS_IGNORE), wrong_count);
    check_class(MPI_Bcast(data, 2, MPI_INT, 0, MPI_COMM_WORLD), MPI_SUCCESS);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("all seen\n");
    MPI_Finalize();
    return 0;
}
