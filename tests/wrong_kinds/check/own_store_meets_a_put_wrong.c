// A rank stores to its window in the epoch in which another rank puts there.
// ranks: 2
// flags: --check
// options: --check
// expect: warning: rank 1: store: conflicts with MPI_Put of rank 0 in the same epoch: both access bytes 8 to 11 of
// expect: rank 0: MPI_Put at .*_wrong\.c:20 in main; rank 1: store at .*_wrong\.c:23 in main
#include <mpi.h>

#include <unistd.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int memory[10] = {0}, values[10] = {0};
    MPI_Win win;
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank == 0) {
        MPI_Put(values, 10, MPI_INT, 1, 0, 10, MPI_INT, win);
    } else {
        sleep(1);
        memory[2] = 7;
    }
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
