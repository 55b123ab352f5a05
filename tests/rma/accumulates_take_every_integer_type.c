// MPI 5.0 section 12.3.4: "Any of the predefined operators for MPI_REDUCE can be used." "For
// example, if op is MPI_SUM, each element of the origin buffer is added to the corresponding
// element in the target, replacing the former value in the target." Here: C and Fortran integers.
// ranks: 1 3
#include "accumulates.h"

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
    CHECK_ACCUMULATE(NAME, c_type, mpi_type, MAX);                                                 \
    CHECK_ACCUMULATE(NAME, c_type, mpi_type, MIN);                                                 \
    CHECK_ACCUMULATE(NAME, c_type, mpi_type, SUM);                                                 \
    CHECK_ACCUMULATE(NAME, c_type, mpi_type, PROD);                                                \
    CHECK_ACCUMULATE(NAME, c_type, mpi_type, BAND);                                                \
    CHECK_ACCUMULATE(NAME, c_type, mpi_type, BOR);                                                 \
    CHECK_ACCUMULATE(NAME, c_type, mpi_type, BXOR);

int main(int argc, char **argv) {
    start(&argc, &argv);
    INTEGERS(RUN)
    return finish();
}
