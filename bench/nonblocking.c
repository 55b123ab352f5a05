/* nonblocking [-r samples] [-t seconds] [-b seconds] OPERATION:BYTES ...: each operation as
 * blocking, as non-blocking with its completion right after it, and as persistent, started and
 * completed.
 *
 * BYTES is the size of the larger of a rank's two buffers: the vector of a reduction, or the blocks
 * of all ranks (at least 8 bytes each). Figures: "bcast", "ibcast", "bcast_init". Samples of the
 * three alternate; else as in collectives.c. */
#include "bench.h"

#include <mpi.h>

enum form { BLOCKING, NONBLOCKING, PERSISTENT, FORMS };

static int rank, size;
static char *in, *out;
static MPI_Request request;

/* Calls MPI_X, or MPI_Ix or MPI_X_init with the request. */
#define FORMS_OF(X, x, ...)                                                                        \
    switch (form) {                                                                                \
    case BLOCKING:                                                                                 \
        MPI_##X(__VA_ARGS__);                                                                      \
        break;                                                                                     \
    case NONBLOCKING:                                                                              \
        MPI_I##x(__VA_ARGS__, &request);                                                           \
        break;                                                                                     \
    default:                                                                                       \
        MPI_##X##_init(__VA_ARGS__, MPI_INFO_NULL, &request);                                      \
    }

static void barrier(enum form form, int bytes, int block) {
    (void)bytes, (void)block;
    FORMS_OF(Barrier, barrier, MPI_COMM_WORLD);
}

static void bcast(enum form form, int bytes, int block) {
    (void)block;
    FORMS_OF(Bcast, bcast, in, bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
}

static void gather(enum form form, int bytes, int block) {
    (void)bytes;
    FORMS_OF(Gather, gather, in, block, MPI_CHAR, out, block, MPI_CHAR, 0, MPI_COMM_WORLD);
}

static void scatter(enum form form, int bytes, int block) {
    (void)bytes;
    FORMS_OF(Scatter, scatter, in, block, MPI_CHAR, out, block, MPI_CHAR, 0, MPI_COMM_WORLD);
}

static void allgather(enum form form, int bytes, int block) {
    (void)bytes;
    FORMS_OF(Allgather, allgather, in, block, MPI_CHAR, out, block, MPI_CHAR, MPI_COMM_WORLD);
}

static void alltoall(enum form form, int bytes, int block) {
    (void)bytes;
    FORMS_OF(Alltoall, alltoall, in, block, MPI_CHAR, out, block, MPI_CHAR, MPI_COMM_WORLD);
}

static void reduce(enum form form, int bytes, int block) {
    (void)block;
    FORMS_OF(Reduce, reduce, in, out, bytes / 8, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
}

static void allreduce(enum form form, int bytes, int block) {
    (void)block;
    FORMS_OF(Allreduce, allreduce, in, out, bytes / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void reduce_scatter_block(enum form form, int bytes, int block) {
    (void)bytes;
    FORMS_OF(Reduce_scatter_block, reduce_scatter_block, in, out, block / 8, MPI_DOUBLE, MPI_SUM,
             MPI_COMM_WORLD);
}

static void scan(enum form form, int bytes, int block) {
    (void)block;
    FORMS_OF(Scan, scan, in, out, bytes / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static const struct operation {
    const char *name;
    void (*call)(enum form form, int bytes, int block);
} operations[] = {
    {"barrier", barrier}, {"bcast", bcast},         {"gather", gather},
    {"scatter", scatter}, {"allgather", allgather}, {"alltoall", alltoall},
    {"reduce", reduce},   {"allreduce", allreduce}, {"reduce_scatter_block", reduce_scatter_block},
    {"scan", scan}};

static double calls(const struct operation *o, enum form form, int bytes, int block, long count) {
    if (form == PERSISTENT)
        o->call(form, bytes, block);
    MPI_Barrier(MPI_COMM_WORLD);
    double start = now_seconds();
    for (long i = 0; i < count; i++) {
        if (form != PERSISTENT)
            o->call(form, bytes, block);
        else
            MPI_Start(&request);
        if (form != BLOCKING)
            MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    double seconds = now_seconds() - start;
    if (form == PERSISTENT)
        MPI_Request_free(&request);
    return seconds;
}

/* The blocking form's result is the others', too. */
static void check(const struct operation *o, int bytes, int block) {
    size_t room = (size_t)(bytes > block * size ? bytes : block * size);
    char *expected = allocate_touched(room);
    for (enum form form = BLOCKING; form < FORMS; form++) {
        for (size_t i = 0; i + 8 <= room; i += 8)
            memcpy(in + i, &(double){rank + (double)i}, 8);
        memset(out, 0, room);
        calls(o, form, bytes, block, 1);
        const char *result = o->call == bcast ? in : out;
        if (form == BLOCKING)
            memcpy(expected, result, room);
        else if (memcmp(expected, result, room) != 0) {
            fprintf(stderr, "nonblocking: rank %d: wrong result of %s of %d bytes\n", rank, o->name,
                    bytes);
            MPI_Abort(MPI_COMM_WORLD, 3);
        }
    }
    free(expected);
}

static void measure(const struct operation *o, int bytes, const struct sampling *s) {
    double samples[FORMS][SAMPLES_MAX], start = now_seconds();
    int block = bytes / size < 8 ? 8 : bytes / size / 8 * 8, n = 0;
    size_t room = (size_t)(bytes > block * size ? bytes : block * size);
    in = allocate_touched(room), out = allocate_touched(room);
    long count = 1;
    check(o, bytes, block);
    for (int more = 1; more;) { /* rank 0 decides how many calls fill a sample */
        more = calls(o, BLOCKING, bytes, block, count) < s->sample_s / 2 &&
               now_seconds() - start < s->budget_s / 2;
        MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
        count *= more ? 2 : 1;
    }
    for (int more = 1; more;) {
        for (enum form form = BLOCKING; form < FORMS; form++)
            samples[form][n] = calls(o, form, bytes, block, count) / (double)count;
        more = ++n < s->samples && now_seconds() - start < s->budget_s;
        MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    const char *const patterns[] = {"%s", "i%s", "%s_init"};
    for (enum form form = BLOCKING; form < FORMS && rank == 0; form++) {
        char name[64];
        snprintf(name, sizeof name, patterns[form], o->name);
        print_figure(name, bytes, samples[form], n);
    }
    free(in), free(out);
}

#include "operations.h"
