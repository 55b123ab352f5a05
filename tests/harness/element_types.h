// For whole-program tests of reductions and accumulates: the types on which operations are defined
// (MPI 5.0 section 6.9.2), with what fills, folds and compares their elements (reductions.h), and
// every operation on each. DO(name, C type, datatype) is done for each type of a list;
// CHECK is CHECK_REDUCTION or CHECK_ACCUMULATE.
//
//   INTEGER_TYPES(DEFINE_INTEGER)
//   #define RUN(NAME, c_type, mpi_type) CHECK_INTEGER(CHECK_REDUCTION, NAME, c_type, mpi_type)
//   ... INTEGER_TYPES(RUN) ...
#ifndef THRUM_TESTS_ELEMENT_TYPES_H
#define THRUM_TESTS_ELEMENT_TYPES_H
#include "reductions.h"

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

#define INTEGER_TYPES(DO)                                                                          \
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
#define DEFINE_INTEGER(NAME, c_type, mpi_type)                                                     \
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

#define CHECK_INTEGER(CHECK, NAME, c_type, mpi_type)                                               \
    CHECK(NAME, c_type, mpi_type, MAX);                                                            \
    CHECK(NAME, c_type, mpi_type, MIN);                                                            \
    CHECK(NAME, c_type, mpi_type, SUM);                                                            \
    CHECK(NAME, c_type, mpi_type, PROD);                                                           \
    CHECK(NAME, c_type, mpi_type, BAND);                                                           \
    CHECK(NAME, c_type, mpi_type, BOR);                                                            \
    CHECK(NAME, c_type, mpi_type, BXOR);

#define FLOATING_TYPES(DO)                                                                         \
    DO(float, float, MPI_FLOAT)                                                                    \
    DO(double, double, MPI_DOUBLE)                                                                 \
    DO(long_double, long double, MPI_LONG_DOUBLE)                                                  \
    DO(real, float, MPI_REAL)                                                                      \
    DO(double_precision, double, MPI_DOUBLE_PRECISION)                                             \
    DO(real4, float, MPI_REAL4)                                                                    \
    DO(real8, double, MPI_REAL8)

// Small whole numbers: all sums and products are exact, in any order.
#define DEFINE_FLOATING(NAME, c_type, mpi_type)                                                    \
    REDUCTION_FILL(NAME, c_type, (of_rank * 5 + i) % 3 - 1.5)                                      \
    REDUCTION_FOLD(NAME, c_type, MAX, x > y ? x : y)                                               \
    REDUCTION_FOLD(NAME, c_type, MIN, x < y ? x : y)                                               \
    REDUCTION_FOLD(NAME, c_type, SUM, x + y)                                                       \
    REDUCTION_FOLD(NAME, c_type, PROD, x *y)

#define CHECK_FLOATING(CHECK, NAME, c_type, mpi_type)                                              \
    CHECK(NAME, c_type, mpi_type, MAX);                                                            \
    CHECK(NAME, c_type, mpi_type, MIN);                                                            \
    CHECK(NAME, c_type, mpi_type, SUM);                                                            \
    CHECK(NAME, c_type, mpi_type, PROD);

#define COMPLEX_TYPES(DO)                                                                          \
    DO(c_complex, float complex, MPI_C_COMPLEX)                                                    \
    DO(c_float_complex, float complex, MPI_C_FLOAT_COMPLEX)                                        \
    DO(c_double_complex, double complex, MPI_C_DOUBLE_COMPLEX)                                     \
    DO(c_long_double_complex, long double complex, MPI_C_LONG_DOUBLE_COMPLEX)                      \
    DO(cxx_float_complex, float complex, MPI_CXX_FLOAT_COMPLEX)                                    \
    DO(cxx_double_complex, double complex, MPI_CXX_DOUBLE_COMPLEX)                                 \
    DO(cxx_long_double_complex, long double complex, MPI_CXX_LONG_DOUBLE_COMPLEX)                  \
    DO(fortran_complex, float complex, MPI_COMPLEX)                                                \
    DO(fortran_double_complex, double complex, MPI_DOUBLE_COMPLEX)                                 \
    DO(complex8, float complex, MPI_COMPLEX8)                                                      \
    DO(complex16, double complex, MPI_COMPLEX16)

// Gaussian integers: exact in any order.
#define DEFINE_COMPLEX(NAME, c_type, mpi_type)                                                     \
    REDUCTION_FILL(NAME, c_type, (of_rank + i) % 3 - 1 + ((of_rank + 2 * i) % 3 + 1) * I)          \
    REDUCTION_FOLD(NAME, c_type, SUM, x + y)                                                       \
    REDUCTION_FOLD(NAME, c_type, PROD, x *y)

#define CHECK_COMPLEX(CHECK, NAME, c_type, mpi_type)                                               \
    CHECK(NAME, c_type, mpi_type, SUM);                                                            \
    CHECK(NAME, c_type, mpi_type, PROD);

#define LOGICAL_TYPES(DO)                                                                          \
    DO(c_bool, bool, MPI_C_BOOL)                                                                   \
    DO(cxx_bool, bool, MPI_CXX_BOOL)                                                               \
    DO(logical, int, MPI_LOGICAL)

#define DEFINE_LOGICAL(NAME, c_type, mpi_type)                                                     \
    REDUCTION_FILL(NAME, c_type, (of_rank * 3 + i) % (2 + i % 2) == 0)                             \
    REDUCTION_FOLD(NAME, c_type, LAND, x &&y)                                                      \
    REDUCTION_FOLD(NAME, c_type, LOR, x || y)                                                      \
    REDUCTION_FOLD(NAME, c_type, LXOR, !x != !y)

#define CHECK_LOGICAL(CHECK, NAME, c_type, mpi_type)                                               \
    CHECK(NAME, c_type, mpi_type, LAND);                                                           \
    CHECK(NAME, c_type, mpi_type, LOR);                                                            \
    CHECK(NAME, c_type, mpi_type, LXOR);

#define BYTE_TYPES(DO) DO(byte, unsigned char, MPI_BYTE)

#define DEFINE_BYTE(NAME, c_type, mpi_type)                                                        \
    REDUCTION_FILL(NAME, c_type, of_rank * 37 + i * 11)                                            \
    REDUCTION_FOLD(NAME, c_type, BAND, x &y)                                                       \
    REDUCTION_FOLD(NAME, c_type, BOR, x | y)                                                       \
    REDUCTION_FOLD(NAME, c_type, BXOR, x ^ y)

#define CHECK_BYTE(CHECK, NAME, c_type, mpi_type)                                                  \
    CHECK(NAME, c_type, mpi_type, BAND);                                                           \
    CHECK(NAME, c_type, mpi_type, BOR);                                                            \
    CHECK(NAME, c_type, mpi_type, BXOR);

// DO(name of the struct that is defined, type of its value, datatype)
#define PAIR_TYPES(DO)                                                                             \
    DO(FloatInt, float, MPI_FLOAT_INT)                                                             \
    DO(DoubleInt, double, MPI_DOUBLE_INT)                                                          \
    DO(LongInt, long, MPI_LONG_INT)                                                                \
    DO(TwoInt, int, MPI_2INT)                                                                      \
    DO(ShortInt, short, MPI_SHORT_INT)                                                             \
    DO(LongDoubleInt, long double, MPI_LONG_DOUBLE_INT)

// Many equal values, so that indices decide; indices of one extreme are not in rank order.
#define DEFINE_PAIR(NAME, value_type, mpi_type)                                                    \
    typedef struct {                                                                               \
        value_type value;                                                                          \
        int index;                                                                                 \
    } NAME;                                                                                        \
    static void fill_##NAME(void *elements, int count, int of_rank) {                              \
        NAME *pairs = elements;                                                                    \
        for (int i = 0; i < count; ++i) {                                                          \
            pairs[i].value = (value_type)((of_rank + i) % 3 - 1);                                  \
            pairs[i].index = (of_rank * 5 + i) % 7;                                                \
        }                                                                                          \
    }                                                                                              \
    static int equal_##NAME(const void *a, const void *b, int count) {                             \
        const NAME *x = a, *y = b;                                                                 \
        for (int i = 0; i < count; ++i)                                                            \
            if (x[i].value != y[i].value || x[i].index != y[i].index)                              \
                return 0;                                                                          \
        return 1;                                                                                  \
    }                                                                                              \
    static void fold_##NAME##_MINLOC(void *a, const void *b, int count) {                          \
        NAME *x = a;                                                                               \
        const NAME *y = b;                                                                         \
        for (int i = 0; i < count; ++i)                                                            \
            if (y[i].value < x[i].value || (y[i].value == x[i].value && y[i].index < x[i].index))  \
                x[i] = y[i];                                                                       \
    }                                                                                              \
    static void fold_##NAME##_MAXLOC(void *a, const void *b, int count) {                          \
        NAME *x = a;                                                                               \
        const NAME *y = b;                                                                         \
        for (int i = 0; i < count; ++i)                                                            \
            if (y[i].value > x[i].value || (y[i].value == x[i].value && y[i].index < x[i].index))  \
                x[i] = y[i];                                                                       \
    }

#define CHECK_PAIR(CHECK, NAME, value_type, mpi_type)                                              \
    CHECK(NAME, NAME, mpi_type, MINLOC);                                                           \
    CHECK(NAME, NAME, mpi_type, MAXLOC);
#endif
