// MPI 5.0 section 6.9.4: MPI_MAXLOC of (u, i) and (v, j) is (max(u, v), k) with k = i if u > v, j
// if u < v and min(i, j) if u = v; in a sequence of pairs the result is "the index of the first
// global maximum in the sequence".
// ranks: 1 2 5 9
#include "reductions.h"

// Many equal values, so that indices decide; indices of one extreme are not in rank order.
#define DEFINE(NAME, value_type)                                                                   \
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
DEFINE(FloatInt, float)
DEFINE(DoubleInt, double)
DEFINE(LongInt, long)
DEFINE(TwoInt, int)
DEFINE(ShortInt, short)
DEFINE(LongDoubleInt, long double)

#define RUN(NAME, mpi_type)                                                                        \
    CHECK_REDUCTION(NAME, NAME, mpi_type, MINLOC);                                                 \
    CHECK_REDUCTION(NAME, NAME, mpi_type, MAXLOC);

int main(int argc, char **argv) {
    start(&argc, &argv);
    RUN(FloatInt, MPI_FLOAT_INT)
    RUN(DoubleInt, MPI_DOUBLE_INT)
    RUN(LongInt, MPI_LONG_INT)
    RUN(TwoInt, MPI_2INT)
    RUN(ShortInt, MPI_SHORT_INT)
    RUN(LongDoubleInt, MPI_LONG_DOUBLE_INT)
    return finish();
}
