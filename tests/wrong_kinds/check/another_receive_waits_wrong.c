// The first receive takes what comes first: if that is the message of rank 2, the second waits.
// ranks: 3
// options: --check
// expect: warning: rank 0: MPI_Recv from MPI_ANY_SOURCE, at .*_wrong\.c:24 in main,
// expect: took the message of rank 1 \(MPI_Send, at .*_wrong\.c:18 in main\) and could have
// expect: could have taken that of rank 2 \(MPI_Send, at .*_wrong\.c:21 in main
// expect: in main\), for which MPI_Recv from rank 2 waits, at .*_wrong\.c:26 in main
#include <mpi.h>

#include <unistd.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank, first, second;
    if (rank == 1)
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (rank == 2) {
        usleep(100000);
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    if (rank == 0) {
        MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        // 2 sends later, but that is not guaranteed.
        MPI_Recv(&second, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
