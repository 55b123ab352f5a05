/* wildcards [-r samples] [-t seconds]: rank 0 receives a message of each other rank with
 * MPI_ANY_SOURCE, answers it, and so on. The figure is the time of a message and its answer. */
#include "bench.h"

#include <mpi.h>

static int rank, size;

static double rounds(long count) {
    int value = rank;
    double start = now_seconds();
    for (long i = 0; i < count; i++) {
        if (rank != 0) {
            MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
            MPI_Recv(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            continue;
        }
        for (int message = 1; message < size; message++) {
            MPI_Status status;
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
            if (value != status.MPI_SOURCE) {
                fprintf(stderr, "wildcards: got %d from rank %d\n", value, status.MPI_SOURCE);
                MPI_Abort(MPI_COMM_WORLD, 3);
            }
            MPI_Send(&value, 1, MPI_INT, status.MPI_SOURCE, 2, MPI_COMM_WORLD);
        }
    }
    return now_seconds() - start;
}

int main(int argc, char **argv) {
    double samples[SAMPLES_MAX];
    struct sampling s;
    long count = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    parse_sampling(argc, argv, &s);
    for (int enough = 0; !enough; count *= 2) {
        enough = rounds(count) >= s.sample_s;
        MPI_Bcast(&enough, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    for (int i = 0; i < s.samples; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        samples[i] = rounds(count) / (double)count / (size > 1 ? size - 1 : 1);
    }
    if (rank == 0)
        print_figure("wildcards", sizeof(int), samples, s.samples);
    MPI_Finalize();
    return 0;
}
