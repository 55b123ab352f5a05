/* message_rate [-r samples] [-t seconds] [bytes]: a stream of messages from rank 0 to rank 1.
 * Windows of 64 MPI_Isend and MPI_Irecv with one MPI_Waitall; the receiver answers each window, so
 * that the sender is never more than one window ahead. The figure is the time of one message. */
#include "bench.h"

#include <mpi.h>

enum { WINDOW = 64 };

static int rank;

static double stream(char *buffer, int size_bytes, long windows) {
    MPI_Request requests[WINDOW];
    char answer = 0;
    double start = now_seconds();
    for (long w = 0; w < windows; w++) {
        for (int i = 0; i < WINDOW; i++) {
            char *message = buffer + (size_t)i * (size_t)size_bytes;
            if (rank == 0)
                MPI_Isend(message, size_bytes, MPI_CHAR, 1, 1, MPI_COMM_WORLD, &requests[i]);
            else
                MPI_Irecv(message, size_bytes, MPI_CHAR, 0, 1, MPI_COMM_WORLD, &requests[i]);
        }
        MPI_Waitall(WINDOW, requests, MPI_STATUSES_IGNORE);
        if (rank == 0)
            MPI_Recv(&answer, 1, MPI_CHAR, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        else
            MPI_Send(&answer, 1, MPI_CHAR, 0, 2, MPI_COMM_WORLD);
    }
    return now_seconds() - start;
}

int main(int argc, char **argv) {
    double samples[SAMPLES_MAX];
    struct sampling s;
    int size, enough = 0;
    long windows = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != 2) {
        fprintf(stderr, "message_rate: needs 2 ranks, has %d\n", size);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    int a = parse_sampling(argc, argv, &s);
    int size_bytes = a < argc ? atoi(argv[a]) : 8;
    char *buffer = allocate_touched((size_t)size_bytes * WINDOW);
    while (!enough) {
        enough = stream(buffer, size_bytes, windows *= 2) >= s.sample_s;
        MPI_Bcast(&enough, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    for (int i = 0; i < s.samples; i++)
        samples[i] = stream(buffer, size_bytes, windows) / (double)(windows * WINDOW);
    if (rank == 0)
        print_figure("message_rate", size_bytes, samples, s.samples);
    free(buffer);
    MPI_Finalize();
    return 0;
}
