/* acl_cases LAYER [-r samples] [-t seconds] [-b seconds] CASE:BYTES ...: the six cases of the
 * ACLMPL paper (section 5).
 *
 * LAYER: acl, acl-async (compiled with -DACLMPL, Thrum only); mpi, mpi-async (any MPI).
 * CASE: one_to_all, all_to_one, all_to_all, broadcast, reduce, latency. A figure is the time of one
 * round: of all messages of the case, or for latency of one message. Messages are counted as done
 * when they have been received: a barrier ends each sample of many rounds. Every layer's data is
 * checked before it is timed. */
#include "../bench.h"

#include <mpi.h>
#ifdef ACLMPL
#include <thrum/acl.h>
#endif

static int rank, size;
static char *out, *in; /* of the largest case; block r of `bytes` is for, or from, rank r */
static MPI_Request *requests;

/* The operations of a layer, on messages of `bytes` bytes from out + bytes * dest to in + bytes *
 * source. */
struct layer {
    const char *name;
    void (*one_to_all)(int bytes), (*all_to_one)(int bytes), (*all_to_all)(int bytes);
    void (*broadcast)(int bytes), (*reduce)(int bytes), (*latency)(int bytes);
};

/* Blocking calls of MPI */

static void mpi_one_to_all(int bytes) {
    if (rank != 0)
        MPI_Recv(in, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int r = 1; rank == 0 && r < size; r++)
        MPI_Send(out + (size_t)bytes * r, bytes, MPI_BYTE, r, 0, MPI_COMM_WORLD);
}

static void mpi_all_to_one(int bytes) {
    if (rank != 0)
        MPI_Send(out, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    for (int r = 1; rank == 0 && r < size; r++)
        MPI_Recv(in + (size_t)bytes * r, bytes, MPI_BYTE, r, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void mpi_all_to_all(int bytes) {
    for (int step = 1; step < size; step++) {
        int dest = (rank + step) % size, source = (rank + size - step) % size;
        MPI_Sendrecv(out + (size_t)bytes * dest, bytes, MPI_BYTE, dest, 0,
                     in + (size_t)bytes * source, bytes, MPI_BYTE, source, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    }
}

static void mpi_broadcast(int bytes) {
    MPI_Bcast(rank == 0 ? out : in, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static void mpi_reduce(int bytes) {
    MPI_Reduce(out, in, bytes / 8, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
}

/* Ranks 0 and 1 take turns; two messages a round. */
static void mpi_latency(int bytes) {
    if (rank == 0) {
        MPI_Send(out, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(in, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Recv(in, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(out, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    }
}

/* Non-blocking calls of MPI */

static void start_receive(int bytes, int source, int *count) {
    MPI_Irecv(in + (size_t)bytes * source, bytes, MPI_BYTE, source, 0, MPI_COMM_WORLD,
              &requests[(*count)++]);
}

static void start_send(int bytes, int dest, int *count) {
    MPI_Isend(out + (size_t)bytes * dest, bytes, MPI_BYTE, dest, 0, MPI_COMM_WORLD,
              &requests[(*count)++]);
}

static void mpi_async_one_to_all(int bytes) {
    int count = 0;
    if (rank != 0)
        start_receive(bytes, 0, &count);
    for (int r = 1; rank == 0 && r < size; r++)
        start_send(bytes, r, &count);
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}

static void mpi_async_all_to_one(int bytes) {
    int count = 0;
    if (rank != 0)
        start_send(bytes, 0, &count);
    for (int r = 1; rank == 0 && r < size; r++)
        start_receive(bytes, r, &count);
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}

static void mpi_async_all_to_all(int bytes) {
    int count = 0;
    for (int step = 1; step < size; step++)
        start_receive(bytes, (rank + size - step) % size, &count);
    for (int step = 1; step < size; step++)
        start_send(bytes, (rank + step) % size, &count);
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}

static void mpi_async_latency(int bytes) {
    int count = 0;
    if (rank > 1)
        return;
    for (int turn = 0; turn < 2; turn++) {
        if (turn == rank)
            start_send(bytes, 1 - rank, &count);
        else
            start_receive(bytes, 1 - rank, &count);
        MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
        count = 0;
    }
}

#ifdef ACLMPL
static void acl_one_to_all(int bytes) {
    if (rank != 0)
        acl_receive(0, in, (size_t)bytes);
    for (int r = 1; rank == 0 && r < size; r++)
        acl_send(r, out + (size_t)bytes * r, (size_t)bytes);
}

static void acl_all_to_one(int bytes) {
    if (rank != 0)
        acl_send(0, out, (size_t)bytes);
    for (int r = 1; rank == 0 && r < size; r++)
        acl_receive(r, in + (size_t)bytes * r, (size_t)bytes);
}

static void acl_all_to_all(int bytes) {
    for (int step = 1; step < size; step++) {
        int dest = (rank + step) % size, source = (rank + size - step) % size;
        acl_send_and_receive(dest, out + (size_t)bytes * dest, (size_t)bytes, source,
                             in + (size_t)bytes * source, (size_t)bytes);
    }
}

static void acl_broadcast_case(int bytes) {
    acl_broadcast(0, rank == 0 ? out : in, (size_t)bytes);
}

static void add_doubles(const void *lower, const void *higher, void *result, size_t count) {
    for (size_t i = 0; i < count; i++)
        ((double *)result)[i] = ((const double *)lower)[i] + ((const double *)higher)[i];
}

/* In place, where MPI_Reduce reads one buffer and writes another: as each library has it. */
static void acl_reduce_case(int bytes) {
    acl_reduce(0, in, (size_t)bytes / 8, 8, add_doubles);
}

static void acl_reduce_by_tree_case(int bytes) {
    acl_reduce_by_tree(0, in, (size_t)bytes / 8, 8, add_doubles);
}

static void acl_reduce_by_binary_swap_case(int bytes) {
    acl_reduce_by_binary_swap(0, in, (size_t)bytes / 8, 8, add_doubles);
}

static void acl_latency(int bytes) {
    if (rank == 0) {
        acl_send(1, out, (size_t)bytes);
        acl_receive(1, in, (size_t)bytes);
    } else if (rank == 1) {
        acl_receive(0, in, (size_t)bytes);
        acl_send(0, out, (size_t)bytes);
    }
}

static void acl_async_one_to_all(int bytes) {
    if (rank != 0)
        acl_async_receive_block(0, 0, in, (size_t)bytes, NULL);
    for (int r = 1; rank == 0 && r < size; r++)
        acl_async_send(r, 0, out + (size_t)bytes * r, (size_t)bytes);
}

static void acl_async_all_to_one(int bytes) {
    if (rank != 0)
        acl_async_send(0, 0, out, (size_t)bytes);
    for (int r = 1; rank == 0 && r < size; r++)
        acl_async_receive_block(r, 0, in + (size_t)bytes * r, (size_t)bytes, NULL);
}

static void acl_async_all_to_all(int bytes) {
    for (int step = 1; step < size; step++) {
        int dest = (rank + step) % size;
        acl_async_send(dest, 0, out + (size_t)bytes * dest, (size_t)bytes);
    }
    for (int step = 1; step < size; step++) {
        int source = (rank + size - step) % size;
        acl_async_receive_block(source, 0, in + (size_t)bytes * source, (size_t)bytes, NULL);
    }
}

static void acl_async_latency(int bytes) {
    for (int turn = 0; turn < 2 && rank < 2; turn++)
        if (turn == rank)
            acl_async_send(1 - rank, 0, out, (size_t)bytes);
        else
            acl_async_receive_block(1 - rank, 0, in, (size_t)bytes, NULL);
}
#endif

static const struct layer layers[] = {
    {"mpi", mpi_one_to_all, mpi_all_to_one, mpi_all_to_all, mpi_broadcast, mpi_reduce, mpi_latency},
    {"mpi-async", mpi_async_one_to_all, mpi_async_all_to_one, mpi_async_all_to_all, NULL, NULL,
     mpi_async_latency},
#ifdef ACLMPL
    {"acl", acl_one_to_all, acl_all_to_one, acl_all_to_all, acl_broadcast_case, acl_reduce_case,
     acl_latency},
    {"acl-async", acl_async_one_to_all, acl_async_all_to_one, acl_async_all_to_all, NULL, NULL,
     acl_async_latency},
#endif
};

static void (*case_of(const struct layer *layer, const char *name))(int) {
    const struct {
        const char *name;
        void (*function)(int);
    } cases[] = {{"one_to_all", layer->one_to_all},
                 {"all_to_one", layer->all_to_one},
                 {"all_to_all", layer->all_to_all},
                 {"broadcast", layer->broadcast},
                 {"reduce", layer->reduce},
                 {"latency", layer->latency},
#ifdef ACLMPL
                 {"reduce_by_tree", acl_reduce_by_tree_case},
                 {"reduce_by_binary_swap", acl_reduce_by_binary_swap_case}
#endif
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (!strcmp(cases[i].name, name))
            return cases[i].function;
    return NULL;
}

static void wrong(const char *name, int bytes) {
    fprintf(stderr, "acl_cases: %s of %d bytes: rank %d has wrong data\n", name, bytes, rank);
    MPI_Abort(MPI_COMM_WORLD, 3);
}

/* Of `out` and of `in`: the global operations have one for all ranks, the others one for each. */
static int blocks_of(const char *name) {
    return strstr(name, "_to_") ? size : 1;
}

/* Fills block r of rank s with r + 3 s, and the doubles to be summed with 1. */
static void fill(const char *name, int bytes) {
    for (int r = 0; r < blocks_of(name); r++)
        memset(out + (size_t)bytes * r, r + 3 * rank, (size_t)bytes);
    memset(in, 255, (size_t)bytes * blocks_of(name));
    if (!strncmp(name, "reduce", 6))
        for (int i = 0; i < bytes / 8; i++)
            ((double *)out)[i] = ((double *)in)[i] = 1;
}

/* That block `block` of `in` is the one that `source` has for `dest`. */
static void check_block(const char *name, int bytes, int block, int source, int dest) {
    for (int i = 0; i < bytes; i++)
        if (in[(size_t)bytes * block + i] != (char)(dest + 3 * source))
            wrong(name, bytes);
}

static void check(void (*function)(int), const char *name, int bytes) {
    fill(name, bytes);
    function(bytes);
    for (int r = 1; rank == 0 && !strcmp(name, "all_to_one") && r < size; r++)
        check_block(name, bytes, r, r, 0);
    for (int r = 0; !strcmp(name, "all_to_all") && r < size; r++)
        if (r != rank)
            check_block(name, bytes, r, r, rank);
    if (rank != 0 && !strcmp(name, "one_to_all"))
        check_block(name, bytes, 0, 0, rank);
    if (rank != 0 && !strcmp(name, "broadcast"))
        check_block(name, bytes, 0, 0, 0);
    for (int i = 0; rank == 0 && !strncmp(name, "reduce", 6) && i < bytes / 8; i++)
        if (((double *)in)[i] != size)
            wrong(name, bytes);
}

static double rounds(void (*function)(int), int bytes, long count) {
    MPI_Barrier(MPI_COMM_WORLD);
    double start = now_seconds();
    for (long i = 0; i < count; i++)
        function(bytes);
    MPI_Barrier(MPI_COMM_WORLD);
    return now_seconds() - start;
}

static void measure(void (*function)(int), const char *name, int bytes, const struct sampling *s) {
    double samples[SAMPLES_MAX], begin = now_seconds();
    long count = 1;
    int taken = 0, go_on = 1;
    check(function, name, bytes);
    for (int enough = 0; !enough; count *= enough ? 1 : 2) {
        enough = rounds(function, bytes, count) >= s->sample_s;
        MPI_Bcast(&enough, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    while (go_on) {
        samples[taken++] = rounds(function, bytes, count) / (double)count;
        go_on = taken < s->samples && now_seconds() - begin < s->budget_s;
        MPI_Bcast(&go_on, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    if (!strcmp(name, "latency"))
        for (int i = 0; i < taken; i++)
            samples[i] /= 2;
    if (rank == 0)
        print_figure(name, bytes, samples, taken);
}

int main(int argc, char **argv) {
    struct sampling s;
    const struct layer *layer = NULL;
    size_t most = 8;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (size_t i = 0; argc > 1 && i < sizeof layers / sizeof *layers; i++)
        if (!strcmp(layers[i].name, argv[1]))
            layer = &layers[i];
    if (!layer) {
        fprintf(stderr, "usage: acl_cases mpi|mpi-async|acl|acl-async [options] CASE:BYTES ...\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    int first = 1 + parse_sampling(argc - 1, argv + 1, &s);
    for (int a = first; a < argc; a++) {
        const char *bytes = strchr(argv[a], ':');
        size_t needed = bytes ? (size_t)atoi(bytes + 1) * blocks_of(argv[a]) : 0;
        most = needed > most ? needed : most;
    }
    out = allocate_touched(most);
    in = allocate_touched(most);
    requests = malloc(2 * (size_t)size * sizeof *requests);
#ifdef ACLMPL
    acl_begin();
#endif
    for (int a = first; a < argc; a++) {
        char name[32] = "";
        int bytes = 0;
        void (*function)(int) = NULL;
        if (sscanf(argv[a], "%31[^:]:%d", name, &bytes) == 2)
            function = case_of(layer, name);
        if (function)
            measure(function, name, bytes, &s);
        else if (rank == 0)
            fprintf(stderr, "acl_cases: %s has no case %s\n", layer->name, argv[a]);
    }
#ifdef ACLMPL
    acl_end();
#endif
    MPI_Finalize();
    return 0;
}
