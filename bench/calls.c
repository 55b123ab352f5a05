/* calls [-r samples] [-t seconds] [send | COUNT]: the time of a call that does nothing else, in
 * each rank: MPI_Comm_rank, or with "send" MPI_Send to MPI_PROC_NULL. With COUNT every rank makes
 * so many calls of MPI_Comm_rank, and no time is printed.
 */
#include "bench.h"

#include <mpi.h>

#include <stdbool.h>

static bool sends = false;

static double calls(long count) {
    int rank;
    double start = now_seconds();
    if (sends)
        for (long i = 0; i < count; i++)
            MPI_Send(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    else
        for (long i = 0; i < count; i++)
            MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return now_seconds() - start;
}

int main(int argc, char **argv) {
    double samples[SAMPLES_MAX];
    struct sampling s;
    long count = 1;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int argument = parse_sampling(argc, argv, &s);
    sends = argument < argc && strcmp(argv[argument], "send") == 0;
    if (argument < argc && !sends) {
        calls(strtol(argv[argument], NULL, 10));
        MPI_Finalize();
        return 0;
    }
    while (calls(count) < s.sample_s)
        count *= 2;
    for (int i = 0; i < s.samples; i++)
        samples[i] = calls(count) / (double)count;
    if (rank == 0)
        print_figure("calls", 0, samples, s.samples);
    MPI_Finalize();
    return 0;
}
