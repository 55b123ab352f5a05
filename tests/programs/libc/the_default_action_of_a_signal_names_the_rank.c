// ranks: 8
// exit: 138
// expect: ^thrum: rank 3 was ended by signal 10 \(User defined signal 1\)
// expect: ^printed before$
// POSIX: the default action of SIGUSR1 ends the process; here the job, whose code is 128 + 10.
#include "check.h"

#include <signal.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        printf("printed before\n");
    if (rank == 4)
        signal(SIGUSR1, SIG_IGN);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 4)
        raise(SIGUSR1);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 3)
        raise(SIGUSR1);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
