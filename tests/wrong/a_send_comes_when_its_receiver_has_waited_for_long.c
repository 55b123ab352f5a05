// The receiver of a synchronous send waits for the sender already when the envelope comes, while
// another rank sleeps.
// ranks: 3
// exit: 86
// expect: DEADLOCK: 2 of 3 ranks wait for each other and can never go on: ranks 1,2$
// expect: rank 1: MPI_Recv from rank 2, tag 9
// expect: rank 2: MPI_Ssend of 4 bytes to rank 1, tag 8
// timeout: 30
#include <mpi.h>

#include <unistd.h>

int main(int argc, char **argv) {
    int rank, value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        sleep(20);
    } else if (rank == 1) {
        MPI_Recv(&value, 1, MPI_INT, 2, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        sleep(3);
        MPI_Ssend(&value, 1, MPI_INT, 1, 8, MPI_COMM_WORLD);
    }
    MPI_Abort(MPI_COMM_WORLD, 3);
}
