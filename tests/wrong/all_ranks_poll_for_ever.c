// Two ranks poll for messages that nobody sends, and one waits for another one. After a few seconds
// they are reported like ranks that wait for each other.
// ranks: 3
// exit: 86
// expect: LIVELOCK: 3 of 3 ranks wait for each other, ranks 0,1 by polls, and can never go on: ranks 0-2$
// expect: rank 0: MPI_Test for 1 request: receive from rank 1, tag 1, .* in main, again and again$
// expect: rank 1: MPI_Iprobe from rank 0, tag 1, .*for_ever.c:[0-9]* in main, again and again$
// expect: rank 2: MPI_Recv from rank 0, tag 1
// expect: 2 ranks wait for each other in a cycle: 0 -> 1 -> 0
// timeout: 60
// modes: fibers-2 processes processes-2
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, value, flag = 0;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 2)
        MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1)
        while (!flag)
            MPI_Iprobe(0, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    MPI_Irecv(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request);
    while (!flag)
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
