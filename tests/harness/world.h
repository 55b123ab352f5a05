// For whole-program tests: rank and size in MPI_COMM_WORLD, and its two halves as an
// inter-communicator.
#ifndef THRUM_TESTS_WORLD_H
#define THRUM_TESTS_WORLD_H
#include "check.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int rank, size; // in MPI_COMM_WORLD; each rank has its own

static inline void start(int *argc, char ***argv) {
    CHECK_SUCCESS(MPI_Init(argc, argv));
    CHECK_SUCCESS(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    CHECK_SUCCESS(MPI_Comm_size(MPI_COMM_WORLD, &size));
}

static inline int finish(void) {
    CHECK_SUCCESS(MPI_Finalize());
    return 0;
}

// Ranks below size / 2 are the first group, the others the second.
typedef struct {
    MPI_Comm local, inter;
    int first;                      // of the two groups: this rank is in it
    int local_rank, local_size;     // in the own group
    int remote_size, remote_offset; // the remote group's rank 0 has this rank in MPI_COMM_WORLD
} TwoGroups;

static inline TwoGroups split_in_two_groups(void) {
    TwoGroups groups;
    groups.first = rank < size / 2;
    groups.remote_offset = groups.first ? size / 2 : 0;
    CHECK_SUCCESS(MPI_Comm_split(MPI_COMM_WORLD, groups.first, rank, &groups.local));
    CHECK_SUCCESS(MPI_Intercomm_create(groups.local, 0, MPI_COMM_WORLD, groups.remote_offset, 11,
                                       &groups.inter));
    MPI_Comm_rank(groups.local, &groups.local_rank);
    MPI_Comm_size(groups.local, &groups.local_size);
    MPI_Comm_remote_size(groups.inter, &groups.remote_size);
    return groups;
}

static inline void free_two_groups(TwoGroups *groups) {
    CHECK_SUCCESS(MPI_Comm_free(&groups->inter));
    CHECK_SUCCESS(MPI_Comm_free(&groups->local));
}

// The root argument of a rooted collective of which `root` of the first group is the root.
static inline int root_argument(const TwoGroups *groups, int root) {
    if (!groups->first)
        return root;
    return groups->local_rank == root ? MPI_ROOT : MPI_PROC_NULL;
}
#endif
