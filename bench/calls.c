/* calls [-r samples] [-t seconds] [COUNT]: the time of a call that does nothing else,
 * MPI_Comm_rank, in each rank. With COUNT every rank makes so many calls, and no time is printed.
 */
#include "bench.h"

#include <mpi.h>

static double calls(long count) {
    int rank;
    double start = now_seconds();
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
    if (argument < argc) {
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
