// For whole-program tests: every collective operation in its three forms, on buffers of ints that a
// program can compare. Counts of the v and w forms depend on ranks; the operation of reductions is
// the sum.
#ifndef THRUM_TESTS_EVERY_COLLECTIVE_H
#define THRUM_TESTS_EVERY_COLLECTIVE_H
#include "world.h"

enum { collectives = 17, first_scan = 15 };

typedef enum { Blocking, Nonblocking, Persistent } Form;

// Buffers of one rank: of `room` ints each. Blocks are `n` ints, or up to n.
typedef struct {
    MPI_Comm comm;
    int own_rank, own_size, peers; // peers: ranks of the group that one sends to
    int root;                      // the root argument
    int n, room;
    int *send, *receive, *counts, *displacements, *byte_displacements, *fixed, *shares;
    MPI_Datatype *types;
} Collective;

// Between rank a and rank b there and back; equal for both.
static inline int count_between(int a, int b, int n) {
    return (a * 7 + b * 7 + a * b) % (n + 1);
}

static inline Collective new_collective(MPI_Comm comm, int root, int n) {
    Collective c = {.comm = comm, .root = root, .n = n};
    int inter, slots;
    MPI_Comm_rank(comm, &c.own_rank);
    MPI_Comm_size(comm, &c.own_size);
    MPI_Comm_test_inter(comm, &inter);
    c.peers = c.own_size;
    if (inter)
        MPI_Comm_remote_size(comm, &c.peers);
    slots = c.peers > c.own_size ? c.peers : c.own_size;
    c.room = slots * c.own_size * n + slots * n;
    c.send = malloc(sizeof(int) * (size_t)(c.room + 1));
    c.receive = malloc(sizeof(int) * (size_t)(c.room + 1));
    c.counts = malloc(sizeof(int) * (size_t)slots);
    c.displacements = malloc(sizeof(int) * (size_t)slots);
    c.byte_displacements = malloc(sizeof(int) * (size_t)slots);
    c.fixed = malloc(sizeof(int) * (size_t)slots);
    c.shares = malloc(sizeof(int) * (size_t)slots);
    c.types = malloc(sizeof(MPI_Datatype) * (size_t)slots);
    for (int i = 0; i < slots; ++i) {
        c.counts[i] = count_between(c.own_rank, i, n);
        c.displacements[i] = i * n;
        c.byte_displacements[i] = i * n * (int)sizeof(int);
        c.fixed[i] = n;
        c.shares[i] = n * c.peers; // the sum is the same in both groups of an inter-communicator
        c.types[i] = MPI_INT;
    }
    return c;
}

static inline void free_collective(Collective *c) {
    free(c->send);
    free(c->receive);
    free(c->counts);
    free(c->displacements);
    free(c->byte_displacements);
    free(c->fixed);
    free(c->shares);
    free(c->types);
}

static inline void fill_collective(Collective *c, int seed) {
    for (int i = 0; i < c->room; ++i) {
        c->send[i] = (int)((unsigned)seed * 1000003u + (unsigned)rank * 10007u + (unsigned)i);
        c->receive[i] = -1;
    }
}

// `request` is set by the other forms than Blocking.
#define THRUM_FORMS(Name, NAME, ...)                                                               \
    switch (form) {                                                                                \
    case Blocking:                                                                                 \
        CHECK_SUCCESS(MPI_##NAME(__VA_ARGS__));                                                    \
        break;                                                                                     \
    case Nonblocking:                                                                              \
        CHECK_SUCCESS(MPI_I##Name(__VA_ARGS__, request));                                          \
        break;                                                                                     \
    case Persistent:                                                                               \
        CHECK_SUCCESS(MPI_##NAME##_init(__VA_ARGS__, MPI_INFO_NULL, request));                     \
    }                                                                                              \
    break

// Operation number `which`. With `in_place` (of those that allow it) the data are in the receive
// buffer.
static inline void call_collective(const Collective *c, int which, Form form, int in_place,
                                   MPI_Request *request) {
    int n = c->n, root = c->root, is_root = root == MPI_ROOT || root == c->own_rank;
    MPI_Comm comm = c->comm;
    const void *send = in_place ? MPI_IN_PLACE : c->send;
    const void *gathered = in_place && is_root ? MPI_IN_PLACE : c->send;
    void *receive = c->receive;
    void *scattered = in_place && is_root ? MPI_IN_PLACE : c->receive;
    switch (which) {
    case 0:
        THRUM_FORMS(barrier, Barrier, comm);
    case 1:
        THRUM_FORMS(bcast, Bcast, is_root ? c->send : c->receive, n, MPI_INT, root, comm);
    case 2:
        THRUM_FORMS(gather, Gather, gathered, n, MPI_INT, receive, n, MPI_INT, root, comm);
    case 3:
        THRUM_FORMS(gatherv, Gatherv, gathered, n, MPI_INT, receive, c->fixed, c->displacements,
                    MPI_INT, root, comm);
    case 4:
        THRUM_FORMS(scatter, Scatter, c->send, n, MPI_INT, scattered, n, MPI_INT, root, comm);
    case 5:
        THRUM_FORMS(scatterv, Scatterv, c->send, c->fixed, c->displacements, MPI_INT, scattered, n,
                    MPI_INT, root, comm);
    case 6:
        THRUM_FORMS(allgather, Allgather, send, n, MPI_INT, receive, n, MPI_INT, comm);
    case 7:
        THRUM_FORMS(allgatherv, Allgatherv, send, n, MPI_INT, receive, c->fixed, c->displacements,
                    MPI_INT, comm);
    case 8:
        THRUM_FORMS(alltoall, Alltoall, send, n, MPI_INT, receive, n, MPI_INT, comm);
    case 9:
        THRUM_FORMS(alltoallv, Alltoallv, send, c->counts, c->displacements, MPI_INT, receive,
                    c->counts, c->displacements, MPI_INT, comm);
    case 10:
        THRUM_FORMS(alltoallw, Alltoallw, send, c->counts, c->byte_displacements, c->types, receive,
                    c->counts, c->byte_displacements, c->types, comm);
    case 11:
        THRUM_FORMS(reduce, Reduce, gathered, receive, n, MPI_INT, MPI_SUM, root, comm);
    case 12:
        THRUM_FORMS(allreduce, Allreduce, send, receive, n, MPI_INT, MPI_SUM, comm);
    case 13:
        THRUM_FORMS(reduce_scatter, Reduce_scatter, send, receive, c->shares, MPI_INT, MPI_SUM,
                    comm);
    case 14:
        THRUM_FORMS(reduce_scatter_block, Reduce_scatter_block, send, receive, n * c->peers,
                    MPI_INT, MPI_SUM, comm);
    case 15:
        THRUM_FORMS(scan, Scan, send, receive, n, MPI_INT, MPI_SUM, comm);
    case 16:
        THRUM_FORMS(exscan, Exscan, send, receive, n, MPI_INT, MPI_SUM, comm);
    }
}
#endif
