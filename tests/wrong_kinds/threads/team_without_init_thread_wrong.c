// The main thread calls MPI in a parallel region, but MPI_Init promises that there is one thread.
// ranks: 2
// flags: -fopenmp -Wno-unused-variable
// options: --check
// exit: 16
// expect: rank [01]: MPI_Allreduce: MPI_ERR_OTHER: called in a parallel region of OpenMP,
// expect: but MPI_Init has given MPI_THREAD_SINGLE: ask MPI_Init_thread for MPI_THREAD_FUNNELED \(at
// expect: .*wrong\.c:(16|17) in main
#include <mpi.h>

int main(int argc, char **argv) {
    int level, sum = 0;
    MPI_Init(&argc, &argv);
#pragma omp parallel num_threads(2)
    {
#pragma omp master
        MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
