// For whole-program tests of contents: random numbers, and whether two datatypes select the same
// bytes in the same order.
#ifndef THRUM_TESTS_REBUILT_TYPES_H
#define THRUM_TESTS_REBUILT_TYPES_H
#include "world.h"

enum { kBytes = 1 << 16 };

static unsigned long long state;

static inline int number(int low, int high) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return low + (int)((state >> 33) % (unsigned)(high - low + 1));
}

static inline int is_named(MPI_Datatype type) {
    MPI_Count ints, addresses, large, types;
    int combiner;
    CHECK_SUCCESS(MPI_Type_get_envelope_c(type, &ints, &addresses, &large, &types, &combiner));
    return combiner == MPI_COMBINER_NAMED;
}

static inline void drop(MPI_Datatype *type) {
    if (!is_named(*type))
        CHECK_SUCCESS(MPI_Type_free(type));
}

static inline void check_same(MPI_Datatype one, MPI_Datatype other) {
    static char memory[kBytes], packed[2][kBytes];
    MPI_Aint bounds[2][4];
    int sizes[2], ends[2] = {0, 0};
    MPI_Datatype types[2] = {one, other};
    for (int i = 0; i < 2; ++i) {
        MPI_Type_size(types[i], &sizes[i]);
        MPI_Type_get_extent(types[i], &bounds[i][0], &bounds[i][1]);
        MPI_Type_get_true_extent(types[i], &bounds[i][2], &bounds[i][3]);
    }
    CHECK_EQUAL(sizes[0], sizes[1]);
    CHECK(memcmp(bounds[0], bounds[1], sizeof bounds[0]) == 0);
    if (sizes[0] > kBytes || bounds[0][2] < -kBytes / 4 || bounds[0][2] + bounds[0][3] > kBytes / 2)
        return;
    for (int i = 0; i < 2; ++i) {
        MPI_Datatype committed;
        MPI_Type_dup(types[i], &committed);
        MPI_Type_commit(&committed);
        CHECK_SUCCESS(MPI_Pack(memory + kBytes / 2, 1, committed, packed[i], kBytes, &ends[i],
                               MPI_COMM_SELF));
        MPI_Type_free(&committed);
    }
    CHECK_EQUAL(ends[0], ends[1]);
    CHECK(memcmp(packed[0], packed[1], (size_t)ends[0]) == 0);
    for (int i = 0; i < kBytes; ++i) // the next pair sees other bytes
        memory[i] = (char)number(0, 255);
}

// Seeds the numbers: from the environment, else from the argument.
static inline void start_with_numbers(int argc, char **argv) {
    start(&argc, &argv);
    const char *seed = getenv("THRUM_TEST_SEED");
    state = strtoull(seed ? seed : argv[1], NULL, 10) + (unsigned)rank;
}

// For who has set a seed: where one can begin again.
static inline void tell_state(int type) {
    if (getenv("THRUM_TEST_SEED"))
        fprintf(stderr, "type %d: state %llu\n", type, state);
}
#endif
