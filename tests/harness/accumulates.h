// For whole-program tests of accumulates: every rank accumulates into every rank's window, with
// each accumulate function in turn; the result is compared with a fold over all ranks' values.
#ifndef THRUM_TESTS_ACCUMULATES_H
#define THRUM_TESTS_ACCUMULATES_H
#include "reductions.h"

enum { accumulated = 5 }; // elements

static inline void set_to_contribution(const Reduction *r, char *memory, int of_rank) {
    r->fill(memory, accumulated, of_rank);
}

// One rank's contribution to one target by function number `how`.
static inline void contribute(const Reduction *r, const char *mine, char *before, int target,
                              int how, MPI_Win win) {
    MPI_Request request = MPI_REQUEST_NULL;
    switch (how) {
    case 0:
        CHECK_SUCCESS(MPI_Accumulate(mine, accumulated, r->type, target, 0, accumulated, r->type,
                                     r->op, win));
        break;
    case 1:
        CHECK_SUCCESS(MPI_Get_accumulate(mine, accumulated, r->type, before, accumulated, r->type,
                                         target, 0, accumulated, r->type, r->op, win));
        break;
    case 2:
        for (int i = 0; i < accumulated; ++i)
            CHECK_SUCCESS(MPI_Fetch_and_op(mine + i * r->element_bytes,
                                           before + i * r->element_bytes, r->type, target,
                                           (MPI_Aint)(i * r->element_bytes), r->op, win));
        break;
    case 3:
        CHECK_SUCCESS(MPI_Raccumulate(mine, accumulated, r->type, target, 0, accumulated, r->type,
                                      r->op, win, &request));
        break;
    default:
        CHECK_SUCCESS(MPI_Rget_accumulate(mine, accumulated, r->type, before, accumulated, r->type,
                                          target, 0, accumulated, r->type, r->op, win, &request));
    }
    CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

// The window starts with rank 0's contribution; ranks 1 to size - 1 add theirs.
static inline void check_every_accumulate(const Reduction *r) {
    char *memory, *mine = malloc(accumulated * r->element_bytes),
                  *before = malloc((size_t)size * accumulated * r->element_bytes),
                  *expected = malloc(accumulated * r->element_bytes);
    MPI_Win win;
    MPI_Win_allocate((MPI_Aint)(accumulated * r->element_bytes), 1, MPI_INFO_NULL, MPI_COMM_WORLD,
                     &memory, &win);
    fold_ranks(r, expected, size, accumulated);
    r->fill(mine, accumulated, rank);
    for (int how = 0; how < 5; ++how) {
        set_to_contribution(r, memory, 0);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_lock_all(0, win);
        for (int target = 0; target < size; ++target)
            if (rank > 0)
                contribute(r, mine, before + (size_t)target * accumulated * r->element_bytes,
                           (rank + target) % size, how, win);
        MPI_Win_unlock_all(win);
        MPI_Barrier(MPI_COMM_WORLD);
        CHECK(r->equal(memory, expected, accumulated));
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Win_free(&win);
    free(mine);
    free(before);
    free(expected);
}

#define CHECK_ACCUMULATE(NAME, c_type, mpi_type, OP)                                               \
    check_every_accumulate(&(Reduction){mpi_type, MPI_##OP, sizeof(c_type), fill_##NAME,           \
                                        fold_##NAME##_##OP, equal_##NAME})
#endif
