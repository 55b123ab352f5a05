// ranks: 300
// env: -u OMP_NUM_THREADS
// flags: -fopenmp
// expect: ^thrum: 300 ranks on [0-9]+ cores: OMP_NUM_THREADS is set to 1; set it yourself for larger teams$
// With more ranks than cores a team has one thread, unless the user or the program wants more;
// threads that wait do not spin.
#include "check.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    int rank, level, threads = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    CHECK_EQUAL(omp_get_max_threads(), 1);
    CHECK(getenv("OMP_WAIT_POLICY") && !strcmp(getenv("OMP_WAIT_POLICY"), "passive"));
#pragma omp parallel
    {
#pragma omp master
        threads = omp_get_num_threads();
    }
    CHECK_EQUAL(threads, 1);
    if (rank % 100 == 0) {
        int sum = 0;
#pragma omp parallel num_threads(4) reduction(+ : sum)
        ++sum;
        CHECK_EQUAL(sum, 4);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
