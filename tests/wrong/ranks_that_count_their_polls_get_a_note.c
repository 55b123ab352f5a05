// Two ranks poll in vain and count it, so they may stop, and one waits for one of them. After ten
// seconds, or more on a busy machine, one note says so. The job goes on until its time limit.
// ranks: 3
// exit: 124
// expect: note: nobody has got a message for 10 s: [12] of 3 ranks poll in vain, [12] wait$
// expect: rank 2: MPI_Recv from rank 0, tag 1
// expect-not: LIVELOCK
// timeout: 15
// modes: fibers-2
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, value, flag = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 2)
        MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (volatile long polls = 0; !flag; polls = polls + 1)
        MPI_Iprobe(1 - rank, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
