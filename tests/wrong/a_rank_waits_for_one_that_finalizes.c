// A rank waits for a message of one that is in MPI_Finalize, while a third one sleeps.
// ranks: 3
// exit: 86
// expect: DEADLOCK: 2 of 3 ranks wait for each other and can never go on: ranks 0,1$
// expect: rank 0: MPI_Finalize on MPI_COMM_WORLD, .*; missing: ranks 1,2
// expect: rank 1: MPI_Recv from rank 0, tag 7, MPI_COMM_WORLD
// timeout: 30
#include <mpi.h>

#include <unistd.h>

int main(int argc, char **argv) {
    int rank, value;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        MPI_Recv(&value, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 2) {
        sleep(25);
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
    MPI_Finalize();
    return 0;
}
