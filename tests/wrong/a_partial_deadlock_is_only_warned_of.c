// With --deadlock=warn the ranks are named once, and the job goes on until it ends otherwise.
// ranks: 4
// options: --deadlock warn
// exit: 7
// expect: DEADLOCK: 2 of 4 ranks wait for each other and can never go on: ranks 0,1$
// expect: the job goes on \(--deadlock=warn\)
// expect: ^once$
// timeout: 30
#include <mpi.h>

#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int rank, value;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank < 2)
        MPI_Recv(&value, 1, MPI_INT, 1 - rank, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 2)
        sleep(6);
    else
        MPI_Recv(&value, 1, MPI_INT, 2, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("once\n");
    fflush(stdout);
    MPI_Abort(MPI_COMM_WORLD, 7);
}
