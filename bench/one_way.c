/* one_way [-r samples] [-t seconds] [bytes ...]: messages from rank 0 to the last rank, one
 * MPI_Send after the other, and an answer when all are there (TMPI paper, section 4.1). The figure
 * is the time of one message. */
#include "bench.h"

#include <mpi.h>

static int rank, last;

static double stream(char *buffer, int size_bytes, long count) {
    char answer = 0;
    double start = now_seconds();
    for (long i = 0; i < count; i++)
        if (rank == 0)
            MPI_Send(buffer, size_bytes, MPI_CHAR, last, 1, MPI_COMM_WORLD);
        else
            MPI_Recv(buffer, size_bytes, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0)
        MPI_Recv(&answer, 1, MPI_CHAR, last, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        MPI_Send(&answer, 1, MPI_CHAR, 0, 2, MPI_COMM_WORLD);
    return now_seconds() - start;
}

static void check(const char *buffer, int size_bytes) {
    for (int i = 0; rank == last && i < size_bytes; i++)
        if (buffer[i] != 'a') {
            fprintf(stderr, "one_way: wrong byte %d of %d\n", i, size_bytes);
            MPI_Abort(MPI_COMM_WORLD, 3);
        }
}

static void measure(int size_bytes, const struct sampling *s) {
    double samples[SAMPLES_MAX];
    char *buffer = allocate_touched((size_t)size_bytes);
    long count = 1;
    memset(buffer, rank == 0 ? 'a' : 'b', (size_t)size_bytes);
    for (int enough = 0; !enough;) {
        count *= 2;
        enough = stream(buffer, size_bytes, count) >= s->sample_s || count >= 1L << 24;
        MPI_Send(&enough, 1, MPI_INT, last - rank, 3, MPI_COMM_WORLD);
        int other;
        MPI_Recv(&other, 1, MPI_INT, last - rank, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        enough = rank == 0 ? enough : other;
    }
    check(buffer, size_bytes);
    for (int i = 0; i < s->samples; i++)
        samples[i] = stream(buffer, size_bytes, count) / (double)count;
    if (rank == 0)
        print_figure("one_way", size_bytes, samples, s->samples);
    free(buffer);
}

int main(int argc, char **argv) {
    struct sampling s;
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    last = size - 1;
    if (size < 2) {
        fprintf(stderr, "one_way: needs 2 ranks at least\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    for (int a = parse_sampling(argc, argv, &s); a < argc; a++)
        if (rank == 0 || rank == last)
            measure(atoi(argv[a]), &s);
    MPI_Finalize();
    return 0;
}
