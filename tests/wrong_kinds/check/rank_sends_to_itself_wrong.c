// A rank sends to itself before it receives, while the other one sleeps.
// ranks: 2
// options: --check
// expect: thrum: warning: ranks wait for each other if messages are not buffered:
// expect: rank 0: MPI_Send to rank 0, tag 3, at .*_wrong\.c:19 in main
// expect-not: DEADLOCK
#include <mpi.h>

#include <unistd.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int mine = rank, other;
    if (rank == 1)
        sleep(3);
    if (rank == 0) {
        MPI_Send(&mine, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
        MPI_Recv(&other, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
