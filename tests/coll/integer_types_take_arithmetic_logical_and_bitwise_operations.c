// MPI 5.0 section 6.9.2: C integers and multi-language types are allowed for MPI_MAX, MPI_MIN,
// MPI_SUM, MPI_PROD and the bitwise operations, C integers for the logical ones too.
// ranks: 1 2 5
#include "reductions.h"

#include <stdint.h>

#define INTEGERS(DO)                                                                               \
    DO(signed_char, signed char, MPI_SIGNED_CHAR)                                                  \
    DO(unsigned_char, unsigned char, MPI_UNSIGNED_CHAR)                                            \
    DO(short, short, MPI_SHORT)                                                                    \
    DO(unsigned_short, unsigned short, MPI_UNSIGNED_SHORT)                                         \
    DO(int, int, MPI_INT)                                                                          \
    DO(unsigned, unsigned, MPI_UNSIGNED)                                                           \
    DO(long, long, MPI_LONG)                                                                       \
    DO(unsigned_long, unsigned long, MPI_UNSIGNED_LONG)                                            \
    DO(long_long, long long, MPI_LONG_LONG)                                                        \
    DO(unsigned_long_long, unsigned long long, MPI_UNSIGNED_LONG_LONG)                             \
    DO(int8, int8_t, MPI_INT8_T)                                                                   \
    DO(int16, int16_t, MPI_INT16_T)                                                                \
    DO(int32, int32_t, MPI_INT32_T)                                                                \
    DO(int64, int64_t, MPI_INT64_T)                                                                \
    DO(uint8, uint8_t, MPI_UINT8_T)                                                                \
    DO(uint16, uint16_t, MPI_UINT16_T)                                                             \
    DO(uint32, uint32_t, MPI_UINT32_T)                                                             \
    DO(uint64, uint64_t, MPI_UINT64_T)                                                             \
    DO(aint, MPI_Aint, MPI_AINT)                                                                   \
    DO(offset, MPI_Offset, MPI_OFFSET)                                                             \
    DO(count, MPI_Count, MPI_COUNT)                                                                \
    DO(integer1, int8_t, MPI_INTEGER1)                                                             \
    DO(integer2, int16_t, MPI_INTEGER2)                                                            \
    DO(integer4, int32_t, MPI_INTEGER4)                                                            \
    DO(integer8, int64_t, MPI_INTEGER8)

// Values of both signs that use all bits; products and sums wrap, so they are folded unsigned.
#define DEFINE(NAME, c_type, mpi_type)                                                             \
    REDUCTION_FILL(NAME, c_type,                                                                   \
                   i % 4 ? (of_rank * 37 + i) % 5 - (i & 1)                                        \
                         : (1ll << (8 * sizeof(c_type) - 2)) + of_rank * 3)                        \
    REDUCTION_FOLD(NAME, c_type, MAX, x > y ? x : y)                                               \
    REDUCTION_FOLD(NAME, c_type, MIN, x < y ? x : y)                                               \
    REDUCTION_FOLD(NAME, c_type, BAND, x &y)                                                       \
    REDUCTION_FOLD(NAME, c_type, BOR, x | y)                                                       \
    REDUCTION_FOLD(NAME, c_type, BXOR, x ^ y)                                                      \
    REDUCTION_FOLD(NAME, c_type, SUM, (unsigned long long)x + (unsigned long long)y)               \
    REDUCTION_FOLD(NAME, c_type, PROD, (unsigned long long)x *(unsigned long long)y)

INTEGERS(DEFINE)

#define RUN(NAME, c_type, mpi_type)                                                                \
    CHECK_REDUCTION(NAME, c_type, mpi_type, MAX);                                                  \
    CHECK_REDUCTION(NAME, c_type, mpi_type, MIN);                                                  \
    CHECK_REDUCTION(NAME, c_type, mpi_type, SUM);                                                  \
    CHECK_REDUCTION(NAME, c_type, mpi_type, PROD);                                                 \
    CHECK_REDUCTION(NAME, c_type, mpi_type, BAND);                                                 \
    CHECK_REDUCTION(NAME, c_type, mpi_type, BOR);                                                  \
    CHECK_REDUCTION(NAME, c_type, mpi_type, BXOR);

// Any value but 0 is true; the odd ranks contribute 3.
#define RUN_LOGICAL(NAME, c_type, mpi_type)                                                        \
    {                                                                                              \
        c_type mine = (c_type)(rank % 2 ? 3 : 0), all, any, odd;                                   \
        MPI_Allreduce(&mine, &all, 1, mpi_type, MPI_LAND, MPI_COMM_WORLD);                         \
        MPI_Allreduce(&mine, &any, 1, mpi_type, MPI_LOR, MPI_COMM_WORLD);                          \
        MPI_Allreduce(&mine, &odd, 1, mpi_type, MPI_LXOR, MPI_COMM_WORLD);                         \
        CHECK(!all);                                                                               \
        CHECK_EQUAL(!!any, size > 1);                                                              \
        CHECK_EQUAL(!!odd, size / 2 % 2);                                                          \
    }

static void check_logical(void) {
    RUN_LOGICAL(signed_char, signed char, MPI_SIGNED_CHAR)
    RUN_LOGICAL(unsigned_char, unsigned char, MPI_UNSIGNED_CHAR)
    RUN_LOGICAL(short, short, MPI_SHORT)
    RUN_LOGICAL(unsigned_short, unsigned short, MPI_UNSIGNED_SHORT)
    RUN_LOGICAL(int, int, MPI_INT)
    RUN_LOGICAL(unsigned, unsigned, MPI_UNSIGNED)
    RUN_LOGICAL(long, long, MPI_LONG)
    RUN_LOGICAL(unsigned_long, unsigned long, MPI_UNSIGNED_LONG)
    RUN_LOGICAL(long_long, long long, MPI_LONG_LONG)
    RUN_LOGICAL(uint64, uint64_t, MPI_UINT64_T)
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    INTEGERS(RUN)
    check_logical();
    return finish();
}
