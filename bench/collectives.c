/* collectives [-r samples] [-t seconds] [-b seconds] OPERATION:BYTES ...: barrier, bcast,
 * allreduce, alltoall (BYTES: to each rank), reduce, reduce_scatter (BYTES: of the whole vector),
 * duplicates (N in the place of BYTES: MPI_Comm_dup called N times in a row; the figure is the time
 * of one).
 *
 * A sample is a barrier, `count` calls back to back and a barrier; the figure is its wall time
 * divided by the count. The root of the broadcast moves on by one rank with each call, so that no
 * root can run ahead of the others. The result of each operation is checked once before it is
 * timed. */
#include "bench.h"

#include <mpi.h>

static int rank, size;

/* Time of `count` calls between two barriers. The roots are first_root and those after it. */
typedef double timed_calls(char *in, char *out, int size_bytes, long count, int first_root);

struct operation {
    const char *name;
    timed_calls *calls;
    int (*right)(const char *in, const char *out, int size_bytes);
};

/* Each operation has a loop of its own, which calls MPI itself: what a function pointer and another
 * return cost would be measured, too, once for each rank. */
#define TIMED_CALLS(NAME, CALL)                                                                    \
    static double NAME(char *in, char *out, int size_bytes, long count, int first_root) {          \
        int root = first_root;                                                                     \
        (void)in, (void)out, (void)size_bytes;                                                     \
        MPI_Barrier(MPI_COMM_WORLD);                                                               \
        double start = now_seconds();                                                              \
        for (long i = 0; i < count; i++) {                                                         \
            CALL;                                                                                  \
            root = root + 1 < size ? root + 1 : 0;                                                 \
        }                                                                                          \
        MPI_Barrier(MPI_COMM_WORLD);                                                               \
        return now_seconds() - start;                                                              \
    }

TIMED_CALLS(barrier, MPI_Barrier(MPI_COMM_WORLD))
TIMED_CALLS(bcast, MPI_Bcast(in, size_bytes, MPI_CHAR, root, MPI_COMM_WORLD))
TIMED_CALLS(allreduce, MPI_Allreduce(in, out, size_bytes / (int)sizeof(double), MPI_DOUBLE, MPI_SUM,
                                     MPI_COMM_WORLD))

TIMED_CALLS(alltoall, MPI_Alltoall(in, size_bytes / size, MPI_CHAR, out, size_bytes / size,
                                   MPI_CHAR, MPI_COMM_WORLD))
TIMED_CALLS(reduce, MPI_Reduce(in, out, size_bytes / (int)sizeof(double), MPI_DOUBLE, MPI_SUM, root,
                               MPI_COMM_WORLD))

/* Every rank has a share of the vector; the first ones have one element more. */
static double reduce_scatter(char *in, char *out, int size_bytes, long count, int first_root) {
    int elements = size_bytes / (int)sizeof(double), *shares = malloc(sizeof(int) * (size_t)size);
    (void)first_root;
    for (int r = 0; r < size; r++)
        shares[r] = elements / size + (r < elements % size);
    MPI_Barrier(MPI_COMM_WORLD);
    double start = now_seconds();
    for (long i = 0; i < count; i++)
        MPI_Reduce_scatter(in, out, shares, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    double time_s = now_seconds() - start;
    free(shares);
    return time_s;
}

static double duplicates(char *in, char *out, int row, long count, int first_root) {
    MPI_Comm *copies = malloc(sizeof *copies * (size_t)row);
    double time_s = 0;
    (void)in, (void)out, (void)first_root;
    for (long repetition = 0; repetition < count; repetition++) {
        MPI_Barrier(MPI_COMM_WORLD);
        double start = now_seconds();
        for (int i = 0; i < row; i++)
            MPI_Comm_dup(MPI_COMM_WORLD, &copies[i]);
        MPI_Barrier(MPI_COMM_WORLD);
        double end = now_seconds();
        /* Ranks may make duplicates without each other: the first one starts the clock. */
        MPI_Allreduce(MPI_IN_PLACE, &start, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
        time_s += (end - start) / row;
        for (int i = 0; i < row; i++)
            MPI_Comm_free(&copies[i]);
    }
    free(copies);
    return time_s;
}

static int always_right(const char *in, const char *out, int size_bytes) {
    (void)in, (void)out, (void)size_bytes;
    return 1;
}

/* Each rank filled its buffer with its number; the root of the check is the last rank. */
static int right_bcast(const char *in, const char *out, int size_bytes) {
    (void)out;
    for (int i = 0; i < size_bytes; i++)
        if (in[i] != (char)((size - 1) % 100))
            return 0;
    return 1;
}

static int right_allreduce(const char *in, const char *out, int size_bytes) {
    double mine, sum, first;
    (void)in;
    memcpy(&first, out, sizeof first);
    for (int i = 0; i + (int)sizeof sum <= size_bytes; i += (int)sizeof sum) {
        memcpy(&sum, out + i, sizeof sum);
        if (sum != first)
            return 0;
    }
    mine = first - size * (size - 1) / 2.0; /* rank r put r into each element */
    return mine == 0;
}

/* Rank r has filled all its blocks with r. */
static int right_alltoall(const char *in, const char *out, int size_bytes) {
    (void)in;
    for (int i = 0; i < size_bytes; i++)
        if (out[i] != (char)(i / (size_bytes / size) % 100))
            return 0;
    return 1;
}

static int right_reduce(const char *in, const char *out, int size_bytes) {
    return rank != size - 1 || right_allreduce(in, out, size_bytes); /* the root of the check */
}

static int right_scatter(const char *in, const char *out, int size_bytes) {
    int elements = size_bytes / (int)sizeof(double);
    int share = elements / size + (rank < elements % size);
    return share == 0 || right_allreduce(in, out, share * (int)sizeof(double));
}

static const struct operation operations[] = {
    {"barrier", barrier, always_right},        {"bcast", bcast, right_bcast},
    {"allreduce", allreduce, right_allreduce}, {"alltoall", alltoall, right_alltoall},
    {"reduce", reduce, right_reduce},          {"reduce_scatter", reduce_scatter, right_scatter},
    {"duplicates", duplicates, always_right}};

static void check(const struct operation *o, char *in, char *out, int size_bytes) {
    memset(in, rank % 100, (size_t)size_bytes);
    if (o->calls == allreduce || o->calls == reduce || o->calls == reduce_scatter)
        for (int i = 0; i + (int)sizeof(double) <= size_bytes; i += (int)sizeof(double))
            memcpy(in + i, &(double){rank}, sizeof(double));
    o->calls(in, out, size_bytes, 1, size - 1);
    if (!o->right(in, out, size_bytes)) {
        fprintf(stderr, "collectives: rank %d: wrong result of %s of %d bytes\n", rank, o->name,
                size_bytes);
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
}

static void measure(const struct operation *o, int size_bytes, const struct sampling *s) {
    double samples[SAMPLES_MAX], start = now_seconds();
    int figure_bytes = size_bytes;
    if (o->calls == alltoall)
        size_bytes *= size;
    char *in = allocate_touched((size_t)size_bytes), *out = allocate_touched((size_t)size_bytes);
    long count = 1;
    int n = 0;
    check(o, in, out, size_bytes);
    for (int more = 1; more;) { /* rank 0 decides how many calls fill a sample */
        more = o->calls(in, out, size_bytes, count, 0) < s->sample_s / 2 &&
               now_seconds() - start < s->budget_s / 2;
        MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
        count *= more ? 2 : 1;
    }
    for (int more = 1; more;) {
        samples[n++] = o->calls(in, out, size_bytes, count, 0) / (double)count;
        more = n < s->samples && now_seconds() - start < s->budget_s;
        MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    if (rank == 0)
        print_figure(o->name, figure_bytes, samples, n);
    free(in);
    free(out);
}

#include "operations.h"
