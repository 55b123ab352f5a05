// For tests of blocking calls: ranks 2i and 2i + 1 are a pair. Descriptors are the process's, so
// that one makes them and tells the other their numbers.
#ifndef THRUM_TESTS_BLOCKING_PAIRS_H
#define THRUM_TESTS_BLOCKING_PAIRS_H
#include "world.h"

enum { ROUNDS = 50 };

static int partner, is_first;

static inline void start_pairs(int *argc, char ***argv) {
    start(argc, argv);
    CHECK_EQUAL(size % 2, 0);
    partner = rank ^ 1;
    is_first = rank % 2 == 0;
}

// The first of the pair has made `count` numbers; both have them afterwards.
static inline void share(int *numbers, int count) {
    if (is_first)
        CHECK_SUCCESS(MPI_Send(numbers, count, MPI_INT, partner, 1, MPI_COMM_WORLD));
    else
        CHECK_SUCCESS(
            MPI_Recv(numbers, count, MPI_INT, partner, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}
#endif
