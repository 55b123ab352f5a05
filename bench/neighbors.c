/* neighbors [-r samples] [-t seconds] [bytes]...: MPI_Neighbor_alltoall on a periodic grid of two
 * dimensions, blocking, non-blocking with MPI_Wait, and persistent with MPI_Start and MPI_Wait.
 * The three take turns within a sample, so that all see the same machine. The figure is the time of
 * one operation, and `bytes` the size of a block. */
#include "bench.h"

#include <mpi.h>

enum form { BLOCKING, NONBLOCKING, PERSISTENT, FORMS };

static const char *const names[FORMS] = {"neighbor_blocking", "neighbor_nonblocking",
                                         "neighbor_persistent"};

static MPI_Comm grid;
static char *out, *in;
static int size_bytes;
static MPI_Request persistent;

static void once(enum form form) {
    MPI_Request request;
    switch (form) {
    case BLOCKING:
        MPI_Neighbor_alltoall(out, size_bytes, MPI_CHAR, in, size_bytes, MPI_CHAR, grid);
        return;
    case NONBLOCKING:
        MPI_Ineighbor_alltoall(out, size_bytes, MPI_CHAR, in, size_bytes, MPI_CHAR, grid, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        return;
    default:
        MPI_Start(&persistent);
        MPI_Wait(&persistent, MPI_STATUS_IGNORE);
    }
}

static double repeat(enum form form, long count) {
    MPI_Barrier(grid);
    double start = now_seconds();
    for (long i = 0; i < count; i++)
        once(form);
    MPI_Barrier(grid);
    return (now_seconds() - start) / (double)count;
}

static void check(enum form form, const int *neighbours, int rank) {
    for (int i = 0; i < 4 * size_bytes; i++) {
        out[i] = (char)(rank * 4 + i / size_bytes);
        in[i] = 0;
    }
    once(form);
    for (int i = 0; i < 4 * size_bytes; i++)
        if (in[i] != (char)(neighbours[i / size_bytes] * 4 + (i / size_bytes ^ 1))) {
            fprintf(stderr, "%s: wrong data\n", names[form]);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
}

static void measure(const struct sampling *s, const int *neighbours, int rank) {
    double samples[FORMS][SAMPLES_MAX];
    out = allocate_touched((size_t)size_bytes * 4);
    in = allocate_touched((size_t)size_bytes * 4);
    MPI_Neighbor_alltoall_init(out, size_bytes, MPI_CHAR, in, size_bytes, MPI_CHAR, grid,
                               MPI_INFO_NULL, &persistent);
    long count = 1;
    int enough = 0;
    for (int form = 0; form < FORMS; form++)
        check((enum form)form, neighbours, rank);
    while (!enough) {
        count *= 2;
        enough = repeat(BLOCKING, count) * (double)count >= s->sample_s;
        MPI_Bcast(&enough, 1, MPI_INT, 0, grid);
    }
    for (int i = 0; i < s->samples; i++)
        for (int form = 0; form < FORMS; form++)
            samples[form][i] = repeat((enum form)form, count);
    for (int form = 0; form < FORMS && rank == 0; form++)
        print_figure(names[form], size_bytes, samples[form], s->samples);
    MPI_Request_free(&persistent);
    free(out);
    free(in);
}

int main(int argc, char **argv) {
    struct sampling s;
    int size, rank, dims[2] = {0, 0}, periods[2] = {1, 1}, neighbours[4];
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Comm_rank(grid, &rank);
    for (int d = 0; d < 2; d++)
        MPI_Cart_shift(grid, d, 1, &neighbours[2 * d], &neighbours[2 * d + 1]);
    for (int a = parse_sampling(argc, argv, &s); a < argc; a++) {
        size_bytes = atoi(argv[a]);
        measure(&s, neighbours, rank);
    }
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
