/* pingpong [-r samples] [-t seconds] [alloc] [bytes ...]: half a round trip between ranks 0 and 1.
 * `alloc`: with buffers from MPI_Alloc_mem, as test pingpong_alloc; otherwise from malloc. Each
 * side sends from one buffer and receives into another, so that two copies of the message are read
 * and two written in a round trip. */
#include "bench.h"

#include <mpi.h>

static int rank, alloc;

static char *allocate(int size_bytes) {
    char *memory;
    if (!alloc)
        return allocate_touched((size_t)size_bytes);
    MPI_Alloc_mem(size_bytes, MPI_INFO_NULL, &memory);
    memset(memory, 1, (size_t)size_bytes);
    return memory;
}

static void release(char *memory) {
    if (alloc)
        MPI_Free_mem(memory);
    else
        free(memory);
}

static double trips(const char *out, char *in, int size_bytes, long count) {
    double start = now_seconds();
    int peer = 1 - rank;
    for (long i = 0; i < count; i++) {
        if (rank == 0) {
            MPI_Send(out, size_bytes, MPI_CHAR, peer, 1, MPI_COMM_WORLD);
            MPI_Recv(in, size_bytes, MPI_CHAR, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(in, size_bytes, MPI_CHAR, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(out, size_bytes, MPI_CHAR, peer, 1, MPI_COMM_WORLD);
        }
    }
    return now_seconds() - start;
}

/* The number of trips that fill a sample; it warms up, too. */
static long calibrate(const char *out, char *in, int size_bytes, double sample_s) {
    for (long count = 1;; count *= 2) {
        int enough = trips(out, in, size_bytes, count) >= sample_s || count >= 1L << 30;
        MPI_Bcast(&enough, 1, MPI_INT, 0, MPI_COMM_WORLD);
        if (enough)
            return count;
    }
}

static void measure(int size_bytes, const struct sampling *s) {
    double samples[SAMPLES_MAX];
    char *out = allocate(size_bytes), *in = allocate(size_bytes);
    memset(out, 'a' + rank, (size_t)size_bytes);
    long count = calibrate(out, in, size_bytes, s->sample_s);
    for (int i = 0; i < size_bytes; i++)
        if (in[i] != 'a' + 1 - rank) {
            fprintf(stderr, "pingpong: wrong byte %d of %d\n", i, size_bytes);
            MPI_Abort(MPI_COMM_WORLD, 3);
        }
    for (int i = 0; i < s->samples; i++)
        samples[i] = trips(out, in, size_bytes, count) / (double)count / 2;
    if (rank == 0)
        print_figure(alloc ? "pingpong_alloc" : "pingpong", size_bytes, samples, s->samples);
    release(out);
    release(in);
}

int main(int argc, char **argv) {
    int size;
    struct sampling s;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != 2) {
        fprintf(stderr, "pingpong: needs 2 ranks, has %d\n", size);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    int a = parse_sampling(argc, argv, &s);
    if (a < argc && !strcmp(argv[a], "alloc"))
        alloc = 1, a++;
    if (a == argc)
        measure(8, &s);
    for (; a < argc; a++)
        measure(atoi(argv[a]), &s);
    MPI_Finalize();
    return 0;
}
