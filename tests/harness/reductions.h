// For whole-program tests of reductions: one array reduced by every blocking form of reduction,
// each compared with a fold over all ranks' values that the rank computes by itself.
#ifndef THRUM_TESTS_REDUCTIONS_H
#define THRUM_TESTS_REDUCTIONS_H
#include "world.h"

enum { reduced_max = 40 }; // elements of one contribution; at least the number of ranks

// The contribution of a rank, and a := a op b, for elements of one type.
typedef void FillElements(void *elements, int count, int of_rank);
typedef void FoldElements(void *a, const void *b, int count);
typedef int EqualElements(const void *a, const void *b, int count);

typedef struct {
    MPI_Datatype type;
    MPI_Op op;
    size_t element_bytes;
    FillElements *fill;
    FoldElements *fold;
    EqualElements *equal;
} Reduction;

static inline void fold_ranks(const Reduction *r, void *result, int end, int count) {
    void *next = malloc(r->element_bytes * (size_t)count);
    r->fill(result, count, 0);
    for (int of_rank = 1; of_rank < end; ++of_rank) {
        r->fill(next, count, of_rank);
        r->fold(result, next, count);
    }
    free(next);
}

static inline void check_every_reduction(const Reduction *r) {
    int count = reduced_max / size * size, root = size - 1;
    size_t bytes = r->element_bytes * (size_t)count;
    char *mine = malloc(bytes), *expected = malloc(bytes), *result = malloc(bytes);
    r->fill(mine, count, rank);
    fold_ranks(r, expected, size, count);
    CHECK_SUCCESS(MPI_Allreduce(mine, result, count, r->type, r->op, MPI_COMM_WORLD));
    CHECK(r->equal(result, expected, count));
    CHECK_SUCCESS(MPI_Reduce(mine, result, count, r->type, r->op, root, MPI_COMM_WORLD));
    CHECK(rank != root || r->equal(result, expected, count));
    int block = count / size;
    size_t place = r->element_bytes * (size_t)(rank * block);
    CHECK_SUCCESS(MPI_Reduce_scatter_block(mine, result, block, r->type, r->op, MPI_COMM_WORLD));
    CHECK(r->equal(result, expected + place, block));
    fold_ranks(r, expected, rank + 1, count);
    CHECK_SUCCESS(MPI_Scan(mine, result, count, r->type, r->op, MPI_COMM_WORLD));
    CHECK(r->equal(result, expected, count));
    CHECK_SUCCESS(MPI_Exscan(mine, result, count, r->type, r->op, MPI_COMM_WORLD));
    if (rank > 0) {
        fold_ranks(r, expected, rank, count);
        CHECK(r->equal(result, expected, count));
    }
    // MPI_Reduce_local: inoutbuf := inbuf op inoutbuf.
    fold_ranks(r, expected, 2, count);
    r->fill(mine, count, 0);
    r->fill(result, count, 1);
    CHECK_SUCCESS(MPI_Reduce_local(mine, result, count, r->type, r->op));
    CHECK(r->equal(result, expected, count));
    free(mine);
    free(expected);
    free(result);
}

// Defines the three functions of a C type NAME: `value` is an expression of i and of_rank, `folded`
// one of x and y.
#define REDUCTION_FILL(NAME, c_type, value)                                                        \
    static void fill_##NAME(void *elements, int count, int of_rank) {                              \
        for (int i = 0; i < count; ++i)                                                            \
            ((c_type *)elements)[i] = (c_type)(value);                                             \
    }                                                                                              \
    static int equal_##NAME(const void *a, const void *b, int count) {                             \
        for (int i = 0; i < count; ++i)                                                            \
            if (((const c_type *)a)[i] != ((const c_type *)b)[i])                                  \
                return 0;                                                                          \
        return 1;                                                                                  \
    }
#define REDUCTION_FOLD(NAME, c_type, OP, folded)                                                   \
    static void fold_##NAME##_##OP(void *a, const void *b, int count) {                            \
        for (int i = 0; i < count; ++i) {                                                          \
            c_type x = ((c_type *)a)[i], y = ((const c_type *)b)[i];                               \
            ((c_type *)a)[i] = (c_type)(folded);                                                   \
        }                                                                                          \
    }
#define CHECK_REDUCTION(NAME, c_type, mpi_type, OP)                                                \
    check_every_reduction(&(Reduction){mpi_type, MPI_##OP, sizeof(c_type), fill_##NAME,            \
                                       fold_##NAME##_##OP, equal_##NAME})
#endif
