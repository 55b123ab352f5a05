// A rank polls for a flag and reads data that were put before it, without a flush between them.
// ranks: 2
// flags: --check
// options: --check
// expect: warning: rank 1: load: conflicts with MPI_Put of rank 0, which is not complete: both access bytes 4 to 7
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, *memory, data[9] = {1}, flag = 1, sum = 0, seen = 1;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(40, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    for (int i = 0; i < 10; ++i)
        memory[i] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(data, 9, MPI_INT, 1, 1, 9, MPI_INT, win);
        MPI_Put(&flag, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Recv(&seen, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_flush(1, win);
    } else {
        while (*(volatile int *)memory == 0)
            MPI_Win_sync(win);
        sum += memory[1];
        MPI_Send(&seen, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return sum - rank;
}
