// A rank stores to its window after the epoch in which another rank puts there.
// ranks: 2
// flags: --check
// options: --check
// expect-not: thrum:
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
    }
    MPI_Win_fence(0, win);
    if (rank == 1) {
        sleep(1);
        memory[2] = 7;
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
