// For whole-program tests: CHECK prints which rank found what wrong and ends the job with exit
// code 1.
#ifndef THRUM_TESTS_CHECK_H
#define THRUM_TESTS_CHECK_H
#include "rank_ends.h"

#include <mpi.h>

#include <stdio.h>

static inline void thrum_test_failed(const char *what, const char *file, int line) {
    int initialized = 0, finalized = 0, rank = -1;
    MPI_Initialized(&initialized);
    MPI_Finalized(&finalized);
    if (initialized && !finalized)
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fprintf(stderr, "rank %d: %s:%d: CHECK(%s) failed\n", rank, file, line, what);
    fflush(stderr);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            thrum_test_failed(#condition, __FILE__, __LINE__);                                     \
    } while (0)

// Two whole numbers that should be equal; says what they are.
#define CHECK_EQUAL(actual, expected)                                                              \
    do {                                                                                           \
        long long thrum_actual = (long long)(actual), thrum_expected = (long long)(expected);      \
        if (thrum_actual != thrum_expected) {                                                      \
            fprintf(stderr, "%s is %lld, not %lld\n", #actual, thrum_actual, thrum_expected);      \
            thrum_test_failed(#actual " == " #expected, __FILE__, __LINE__);                       \
        }                                                                                          \
    } while (0)

// A call that should succeed although errors return.
#define CHECK_SUCCESS(call) CHECK_EQUAL(call, MPI_SUCCESS)

// A call that should fail with `error_class` (set MPI_ERRORS_RETURN first).
#define CHECK_ERROR(call, error_class)                                                             \
    do {                                                                                           \
        int thrum_class = -1, thrum_code = (call);                                                 \
        MPI_Error_class(thrum_code, &thrum_class);                                                 \
        if (thrum_class != (error_class)) {                                                        \
            fprintf(stderr, "%s: error class %d, not %s (%d)\n", #call, thrum_class, #error_class, \
                    (int)(error_class));                                                           \
            thrum_test_failed("error class", __FILE__, __LINE__);                                  \
        }                                                                                          \
    } while (0)

#endif
