// Rank 1 is believed to come first: the message of rank 2 does not fit the first receive.
// ranks: 3
// options: --check
// expect: warning: rank 0: MPI_Recv from MPI_ANY_SOURCE, at .*_wrong\.c:21 in main,
// expect: took the message of rank 1 \(MPI_Send, at .*_wrong\.c:15 in main\) and could have
// expect: could have taken that of rank 2 \(MPI_Send, at .*_wrong\.c:19 in main
// expect: in main\), whose 8 bytes exceed the 4 of the receive
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, values[2] = {0, 0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        MPI_Send(values, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Send(values, 0, MPI_INT, 2, 1, MPI_COMM_WORLD);
    } else if (rank == 2) {
        MPI_Recv(values, 0, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(values, 2, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(values, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(values, 2, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
