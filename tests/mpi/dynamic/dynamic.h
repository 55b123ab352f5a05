// For whole-program tests of dynamic processes: a program that spawns itself. Children are told
// what they are for by argv[1].
#ifndef THRUM_TESTS_DYNAMIC_H
#define THRUM_TESTS_DYNAMIC_H
#include "world.h"

static MPI_Comm parent; // MPI_COMM_NULL in a rank that was not spawned

static inline void start_family(int *argc, char ***argv) {
    start(argc, argv);
    CHECK_SUCCESS(MPI_Comm_get_parent(&parent));
}

static inline int is_child(void) {
    return parent != MPI_COMM_NULL;
}

// Collective over `comm`; rank 0 is the root.
static inline MPI_Comm spawn_from(MPI_Comm comm, char *program, const char *role, int count) {
    char *arguments[] = {(char *)role, NULL};
    MPI_Comm children = MPI_COMM_NULL;
    int codes[64];
    CHECK(count <= 64);
    for (int i = 0; i < count; ++i)
        codes[i] = -1;
    CHECK_SUCCESS(
        MPI_Comm_spawn(program, arguments, count, MPI_INFO_NULL, 0, comm, &children, codes));
    for (int i = 0; i < count; ++i)
        CHECK_EQUAL(codes[i], MPI_SUCCESS);
    return children;
}

static inline MPI_Comm spawn_self(char *program, const char *role, int count) {
    return spawn_from(MPI_COMM_WORLD, program, role, count);
}

static inline int part_from(MPI_Comm *comm) {
    CHECK_SUCCESS(MPI_Comm_disconnect(comm));
    CHECK(*comm == MPI_COMM_NULL);
    return finish();
}
#endif
