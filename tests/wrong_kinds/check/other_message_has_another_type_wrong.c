// The message of rank 2 has another type, and nothing makes it the second.
// ranks: 3
// options: --check
// expect: warning: rank 0: MPI_Recv from MPI_ANY_SOURCE, at .*_wrong\.c:23 in main,
// expect: took the message of rank 1 .* and could have
// expect: could have taken that of rank 2 \(MPI_Send, at .*_wrong\.c:21 in main
// expect: in main\), which has 1 MPI_FLOAT, but the receive expects MPI_INT
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, count = 0;
    float part = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        MPI_Send(&count, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Send(&count, 0, MPI_INT, 2, 1, MPI_COMM_WORLD);
    }
    if (rank == 2) {
        MPI_Recv(&count, 0, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&part, 1, MPI_FLOAT, 0, 0, MPI_COMM_WORLD);
    } else if (rank == 0) {
        MPI_Recv(&count, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&part, 1, MPI_FLOAT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
