// MPI 5.0 section 12.3.4: "Any of the predefined operators for MPI_REDUCE can be used." "The
// operation is executed atomically for each basic datatype". Here: logical types, bytes, and pairs
// of a value and an index, which may have gaps.
// ranks: 1 4
#include "accumulates.h"

#include <stdbool.h>

#define DEFINE(NAME, c_type)                                                                       \
    REDUCTION_FILL(NAME, c_type, (of_rank * 3 + i) % (2 + i % 2) == 0)                             \
    REDUCTION_FOLD(NAME, c_type, LAND, x &&y)                                                      \
    REDUCTION_FOLD(NAME, c_type, LOR, x || y)                                                      \
    REDUCTION_FOLD(NAME, c_type, LXOR, !x != !y)
DEFINE(bool, bool)
DEFINE(logical, int)
REDUCTION_FILL(byte, unsigned char, of_rank * 37 + i * 11)
REDUCTION_FOLD(byte, unsigned char, BAND, x &y)
REDUCTION_FOLD(byte, unsigned char, BOR, x | y)
REDUCTION_FOLD(byte, unsigned char, BXOR, x ^ y)

#define RUN(NAME, c_type, mpi_type)                                                                \
    CHECK_ACCUMULATE(NAME, c_type, mpi_type, LAND);                                                \
    CHECK_ACCUMULATE(NAME, c_type, mpi_type, LOR);                                                 \
    CHECK_ACCUMULATE(NAME, c_type, mpi_type, LXOR);

// Many equal values, so that indices decide; indices of one extreme are not in rank order.
#define DEFINE_PAIR(NAME, value_type)                                                              \
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
DEFINE_PAIR(FloatInt, float)
DEFINE_PAIR(DoubleInt, double)
DEFINE_PAIR(LongInt, long)
DEFINE_PAIR(TwoInt, int)
DEFINE_PAIR(ShortInt, short)
DEFINE_PAIR(LongDoubleInt, long double)

#define RUN_PAIR(NAME, mpi_type)                                                                   \
    CHECK_ACCUMULATE(NAME, NAME, mpi_type, MINLOC);                                                \
    CHECK_ACCUMULATE(NAME, NAME, mpi_type, MAXLOC);

int main(int argc, char **argv) {
    start(&argc, &argv);
    RUN(bool, bool, MPI_C_BOOL)
    RUN(bool, bool, MPI_CXX_BOOL)
    RUN(logical, int, MPI_LOGICAL)
    CHECK_ACCUMULATE(byte, unsigned char, MPI_BYTE, BAND);
    CHECK_ACCUMULATE(byte, unsigned char, MPI_BYTE, BOR);
    CHECK_ACCUMULATE(byte, unsigned char, MPI_BYTE, BXOR);
    return finish();
}
