// For whole-program tests of messages: data that is recognised, errors that return.
#ifndef THRUM_TESTS_MESSAGES_H
#define THRUM_TESTS_MESSAGES_H
#include "world.h"

// For tests of errors: the calls return them.
static inline void start_with_errors_returned(void) {
    start(NULL, NULL);
    CHECK_SUCCESS(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_SUCCESS(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
}

// Byte i of message `seed`: differs between neighbouring bytes and messages.
static inline int pattern(int seed, long long i) {
    return (int)((i * 31 + seed * 17 + 5) & 0x7f);
}

static inline void fill_bytes(char *bytes, long long count, int seed) {
    for (long long i = 0; i < count; ++i)
        bytes[i] = (char)pattern(seed, i);
}

static inline void check_bytes(const char *bytes, long long count, int seed) {
    for (long long i = 0; i < count; ++i)
        CHECK_EQUAL(bytes[i], pattern(seed, i));
}
#endif
