/* unexpected [-r samples] MESSAGES ...: time to receive the oldest of so many messages of 8 B that
 * were there before their receive. Rank 0 sends them with different tags, and both meet in a
 * barrier; rank 1 then receives them in their order. */
#include "bench.h"

#include <mpi.h>

static int rank;

/* Returns the time of one receive, on rank 1. */
static double receive_all(int messages) {
    double value = 0, time_s = 0;
    if (rank == 0)
        for (int i = 0; i < messages; i++)
            MPI_Send(&(double){i}, 1, MPI_DOUBLE, 1, i, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        double start = now_seconds();
        for (int i = 0; i < messages; i++) {
            MPI_Recv(&value, 1, MPI_DOUBLE, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (value != i)
                MPI_Abort(MPI_COMM_WORLD, 3);
        }
        time_s = (now_seconds() - start) / messages;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return time_s;
}

int main(int argc, char **argv) {
    double samples[SAMPLES_MAX];
    struct sampling s;
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != 2) {
        fprintf(stderr, "unexpected: needs 2 ranks, has %d\n", size);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    for (int a = parse_sampling(argc, argv, &s); a < argc; a++) {
        int messages = atoi(argv[a]), rounds = 1 + 20000 / messages;
        for (int i = 0; i < s.samples; i++) {
            samples[i] = 0;
            for (int round = 0; round < rounds; round++)
                samples[i] += receive_all(messages) / rounds;
        }
        if (rank == 1)
            print_figure("unexpected", messages, samples, s.samples);
    }
    MPI_Finalize();
    return 0;
}
