// Rank 0 receives four messages in a critical section of a team of two threads, but gets only two:
// one thread waits for the third message, the other one sleeps before the section. With -n 2 the
// main thread of rank 0 may be either. Rank 1 has nothing more to do.
// ranks: 2
// flags: -fopenmp
// exit: 86
// expect: DEADLOCK: rank 0 is blocked and no message can arrive|DEADLOCK: all 2 ranks are blocked
// expect: rank 0: MPI_Recv from rank 1, tag 7, MPI_COMM_WORLD, at .*wait_for_it.c:[0-9]+ in
// timeout: 30
#include <mpi.h>

static void receive_all(void) {
    int value;
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int i = 0; i < 4; ++i)
#pragma omp task
    {
#pragma omp critical
        MPI_Recv(&value, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv) {
    int provided, rank;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        receive_all();
    for (int i = 0; rank == 1 && i < 2; ++i)
        MPI_Send(&i, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
