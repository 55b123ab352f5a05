// <thrum/run.h> in C. Started as it is, by mpiexec -n 1, by each of several ranks, and in a job of
// several processes, where runs are refused.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <thrum/run.h>

static int add_up(MPI_Comm world, void *argument) {
    int one = 1, rank, sum = 0;
    MPI_Comm_rank(world, &rank);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, world);
    if (rank == 0)
        *(int *)argument = sum;
    return rank == 2 ? 9 : 0;
}

int main(int argc, char **argv) {
    int sum = 0, rank = 0;
    thrum_run_options options = THRUM_RUN_OPTIONS_INIT;
    if (argc > 1 && strcmp(argv[1], "init") == 0) {
        MPI_Init(&argc, &argv);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    }
    options.time_limit = 60;
    thrum_result *result = thrum_run(4, add_up, &sum, &options);
    printf("rank %d: sum %d, %d failed, first %d: %s\n", rank, sum, result->n_failed,
           result->first_failed, result->text);
    const int code = result->n_failed == 1 && sum == 4 ? 0 : 1;
    thrum_result_free(result);
    if (argc > 1 && strcmp(argv[1], "init") == 0)
        MPI_Finalize();
    return code;
}
