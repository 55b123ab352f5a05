// Two ranks send each other more than is buffered, and receive afterwards.
// MPI 5.0 section 3.5: such a program works only as far as its messages are buffered.
// ranks: 2
// exit: 86
// expect: DEADLOCK: all 2 ranks are blocked
// expect: ranks 0,1: MPI_Send of 8000000 bytes to each other, tag 3, .*large_sends.c:16 in main
// timeout: 30
#include <mpi.h>

static double out[1000000], in[1000000];

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Send(out, 1000000, MPI_DOUBLE, 1 - rank, 3, MPI_COMM_WORLD);
    MPI_Recv(in, 1000000, MPI_DOUBLE, 1 - rank, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
