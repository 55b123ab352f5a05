// ranks: 1 2 8
// env: OMP_NUM_THREADS=3
// flags: -fopenmp
// expect-not: OMP_NUM_THREADS is
// OpenMP: each rank has a team of its own, whose threads see the rank's globals, have its
// threadprivate initial values, and call MPI as this rank. Settings and locks of the runtime are
// the rank's.
#include "check.h"

#include <omp.h>

static int global = 40;
static int *pointer = &global, counter = 3;
#pragma omp threadprivate(pointer, counter)

static void check_globals(int rank) {
    int wrong = 0;
#pragma omp parallel reduction(+ : wrong)
    {
        int own = -1;
        MPI_Comm_rank(MPI_COMM_WORLD, &own);
        wrong += own != rank || omp_get_num_threads() != 3;
        wrong += pointer != &global || *pointer != 40 + rank || counter != 3;
        counter = 100 * rank + omp_get_thread_num();
    }
    MPI_Barrier(MPI_COMM_WORLD);
#pragma omp parallel reduction(+ : wrong)
    wrong += counter != 100 * rank + omp_get_thread_num();
    CHECK_EQUAL(wrong, 0);
}

// MPI 5.0, section 11.6: with MPI_THREAD_MULTIPLE, multiple threads may call MPI, with no
// restrictions.
static void check_messages(int rank, int size) {
    int wrong = 0;
#pragma omp parallel reduction(+ : wrong)
    for (int round = 0; round < 10; ++round) {
        int thread = omp_get_thread_num(), mine = 1000 * rank + 10 * round + thread, other = -1;
        int before = (rank + size - 1) % size;
        MPI_Sendrecv(&mine, 1, MPI_INT, (rank + 1) % size, thread, &other, 1, MPI_INT, before,
                     thread, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        wrong += other != 1000 * before + 10 * round + thread;
    }
    CHECK_EQUAL(wrong, 0);
}

static void check_runtime(int rank) {
    int tasks = 0;
    omp_set_num_threads(1 + rank % 3);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_EQUAL(omp_get_max_threads(), 1 + rank % 3);
    // A lock that all ranks shared would never be free for the others.
#pragma omp critical
    MPI_Barrier(MPI_COMM_WORLD);
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 20; ++i) {
#pragma omp task shared(tasks)
#pragma omp atomic
        ++tasks;
    }
    CHECK_EQUAL(tasks, 20);
}

int main(int argc, char **argv) {
    int rank, size, level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    global += rank;
    check_globals(rank);
    check_messages(rank, size);
    check_runtime(rank);
    MPI_Finalize();
    return 0;
}
