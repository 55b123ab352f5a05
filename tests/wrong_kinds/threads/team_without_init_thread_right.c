// The main thread calls MPI in a parallel region, and between two of them.
// ranks: 2
// flags: -fopenmp
// options: --check
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    int level, sum = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
#pragma omp parallel num_threads(2)
    {
#pragma omp master
        MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
