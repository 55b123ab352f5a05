// How long a run of ranks takes (<thrum/run.h>): n ranks start, pass a number around a ring, meet
// in a barrier and end. Started without mpiexec. Prints for each n the shortest and the median of
// many runs, and the bound of 50 us + 5 us a rank.
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <thrum/run.h>

enum { runs = 2000 };

static int ring(MPI_Comm world, void *argument) {
    int rank, size, got;
    (void)argument;
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &size);
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &got, 1, MPI_INT,
                 (rank + size - 1) % size, 0, world, MPI_STATUS_IGNORE);
    MPI_Barrier(world);
    return got == (rank + size - 1) % size ? 0 : 1;
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

int main(void) {
    static const int sizes[] = {1, 2, 4, 16, 64};
    static double times_us[runs];
    printf("%6s %12s %12s %12s\n", "ranks", "shortest us", "median us", "bound us");
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
        for (int i = 0; i < runs; ++i) {
            const double begin = MPI_Wtime();
            thrum_result *result = thrum_run(sizes[s], ring, NULL, NULL);
            times_us[i] = 1e6 * (MPI_Wtime() - begin);
            if (result->n_failed) {
                fprintf(stderr, "%s\n", result->text);
                return 1;
            }
            thrum_result_free(result);
        }
        qsort(times_us, runs, sizeof *times_us, compare);
        printf("%6d %12.1f %12.1f %12d\n", sizes[s], times_us[0], times_us[runs / 2],
               50 + 5 * sizes[s]);
    }
    return 0;
}
