/* slopes [-r samples] [-t seconds] [-b seconds] OPERATION[:BYTES] | OBJECTS:COUNT ...
 *
 * How costs grow. An OPERATION is a collective one of BYTES for each rank, or with ranks 2i and
 * 2i + 1 as pairs; its figure is the time of one. OBJECTS are made COUNT times by each rank, used
 * once each where that is a local matter, and freed; the figure is the time of all. */
#include "bench.h"

#include <mpi.h>

#include <stdbool.h>
#include <unistd.h>

static int rank, size, bytes;
static char *in, *out;
static MPI_Win window;

static void barrier(void) {
    MPI_Barrier(MPI_COMM_WORLD);
}

static void bcast(void) {
    MPI_Bcast(in, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static void reduce(void) {
    MPI_Reduce(in, out, bytes / 8, MPI_INT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
}

static void allreduce(void) {
    MPI_Allreduce(in, out, bytes / 8, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
}

static void scan(void) {
    MPI_Scan(in, out, bytes / 8, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
}

static void gather(void) {
    MPI_Gather(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static void scatter(void) {
    MPI_Scatter(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static void allgather(void) {
    MPI_Allgather(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, MPI_COMM_WORLD);
}

static void alltoall(void) {
    MPI_Alltoall(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, MPI_COMM_WORLD);
}

static void pairs(void) {
    MPI_Sendrecv(in, bytes, MPI_BYTE, rank ^ 1, 0, out, bytes, MPI_BYTE, rank ^ 1, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void split(void) {
    MPI_Comm comm;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &comm);
    MPI_Comm_free(&comm);
}

static void put(void) {
    MPI_Put(in, bytes, MPI_BYTE, rank ^ 1, 0, bytes, MPI_BYTE, window);
    MPI_Win_fence(0, window);
}

/* Each makes `count` objects, and frees them. */

static void comms(long count) {
    MPI_Comm *made = malloc((size_t)count * sizeof *made);
    for (long i = 0; i < count; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &made[i]);
    for (long i = 0; i < count; i++)
        MPI_Barrier(made[i]);
    for (long i = 0; i < count; i++)
        MPI_Comm_free(&made[i]);
    free(made);
}

static void windows(long count) {
    MPI_Win *made = malloc((size_t)count * sizeof *made);
    for (long i = 0; i < count; i++)
        MPI_Win_create(in, 8, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &made[i]);
    for (long i = 0; i < count; i++)
        MPI_Win_free(&made[i]);
    free(made);
}

static void types(long count) {
    MPI_Datatype *made = malloc((size_t)count * sizeof *made);
    for (long i = 0; i < count; i++) {
        MPI_Type_vector(2, 1, 2 + (int)i, MPI_INT, &made[i]);
        MPI_Type_commit(&made[i]);
    }
    for (long i = 0; i < count; i++)
        MPI_Type_free(&made[i]);
    free(made);
}

static void groups(long count) {
    MPI_Group world, *made = malloc((size_t)count * sizeof *made);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    for (long i = 0; i < count; i++)
        MPI_Group_incl(world, 1, &rank, &made[i]);
    for (long i = 0; i < count; i++)
        MPI_Group_free(&made[i]);
    MPI_Group_free(&world);
    free(made);
}

/* The receives are met in the opposite order: the last one that is posted first. */
static void requests(long count) {
    MPI_Request *made = malloc(2 * (size_t)count * sizeof *made);
    for (long i = 0; i < count; i++)
        MPI_Irecv(out, 1, MPI_BYTE, rank ^ 1, (int)i, MPI_COMM_WORLD, &made[i]);
    MPI_Barrier(MPI_COMM_WORLD);
    for (long i = count; i-- > 0;)
        MPI_Isend(in, 1, MPI_BYTE, rank ^ 1, (int)i, MPI_COMM_WORLD, &made[count + i]);
    MPI_Waitall(2 * (int)count, made, MPI_STATUSES_IGNORE);
    free(made);
}

/* Messages that no receive awaits are received in the opposite order. */
static void unexpected(long count) {
    for (long i = 0; i < count; i++)
        MPI_Send(in, 1, MPI_BYTE, rank ^ 1, (int)i, MPI_COMM_WORLD);
    for (long i = count; i-- > 0;)
        MPI_Recv(out, 1, MPI_BYTE, rank ^ 1, (int)i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void persistent(long count) {
    MPI_Request *made = malloc((size_t)count * sizeof *made);
    for (long i = 0; i < count; i++)
        MPI_Send_init(in, 1, MPI_BYTE, MPI_PROC_NULL, (int)i, MPI_COMM_WORLD, &made[i]);
    MPI_Startall((int)count, made);
    MPI_Waitall((int)count, made, MPI_STATUSES_IGNORE);
    for (long i = 0; i < count; i++)
        MPI_Request_free(&made[i]);
    free(made);
}

static void files(long count) {
    MPI_File *made = malloc((size_t)count * sizeof *made);
    char path[256];
    for (long i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s.%d.%ld",
                 getenv("SLOPES_FILE") ? getenv("SLOPES_FILE") : "slopes", rank, i);
        MPI_File_open(MPI_COMM_SELF, path,
                      MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                      &made[i]);
    }
    for (long i = 0; i < count; i++)
        MPI_File_close(&made[i]);
    free(made);
}

struct operation {
    const char *name;
    void (*call)(void); /* nullptr: objects */
    void (*objects)(long count);
};

static const struct operation operations[] = {{"barrier", barrier, NULL},
                                              {"bcast", bcast, NULL},
                                              {"reduce", reduce, NULL},
                                              {"allreduce", allreduce, NULL},
                                              {"scan", scan, NULL},
                                              {"gather", gather, NULL},
                                              {"scatter", scatter, NULL},
                                              {"allgather", allgather, NULL},
                                              {"alltoall", alltoall, NULL},
                                              {"pairs", pairs, NULL},
                                              {"split", split, NULL},
                                              {"put", put, NULL},
                                              {"comms", NULL, comms},
                                              {"windows", NULL, windows},
                                              {"types", NULL, types},
                                              {"groups", NULL, groups},
                                              {"requests", NULL, requests},
                                              {"unexpected", NULL, unexpected},
                                              {"persistent", NULL, persistent},
                                              {"files", NULL, files}};

static double timed(const struct operation *test, long number, long repetitions) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = now_seconds();
    for (long i = 0; i < repetitions; i++) {
        if (test->call)
            test->call();
        else
            test->objects(number);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return now_seconds() - start;
}

static bool is_collective_of_many(const char *name) {
    return strcmp(name, "gather") == 0 || strcmp(name, "scatter") == 0 ||
           strcmp(name, "allgather") == 0 || strcmp(name, "alltoall") == 0;
}

static void measure(const struct operation *test, long number, const struct sampling *s) {
    double samples[SAMPLES_MAX], elapsed = 0, spent = 0;
    long repetitions = 1;
    int taken = 0, more = 1;
    bytes = (int)number;
    if (size % 2 != 0) {
        if (rank == 0)
            fprintf(stderr, "slopes: needs an even number of ranks, has %d\n", size);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    const size_t length =
        (size_t)(test->call ? number : 8) * (size_t)(is_collective_of_many(test->name) ? size : 1);
    in = calloc(length + 8, 1);
    out = calloc(length + 8, 1);
    if (!in || !out)
        MPI_Abort(MPI_COMM_WORLD, 2);
    if (test->call == put) {
        MPI_Win_create(out, bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
        MPI_Win_fence(0, window);
    }
    timed(test, number, 1); /* warms up */
    for (;;) {
        elapsed = timed(test, number, repetitions);
        MPI_Bcast(&elapsed, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        if (elapsed >= s->sample_s)
            break;
        repetitions *= 2;
    }
    while (more) {
        samples[taken] = timed(test, number, repetitions) / (double)repetitions;
        spent += samples[taken++] * (double)repetitions;
        more = taken < s->samples && spent < s->budget_s;
        MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    if (test->call == put)
        MPI_Win_free(&window);
    if (rank == 0)
        print_figure(test->name, number, samples, taken);
    free(in);
    free(out);
}

#include "operations.h"
