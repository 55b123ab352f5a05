// MPI 5.0 section 6.9.2: "MPI_MAX, MPI_MIN: C integer, Fortran integer, Floating point ...;
// MPI_SUM, MPI_PROD: C integer, Fortran integer, Floating point, Complex ..."
// ranks: 1 2 5 9
#include "reductions.h"

// Small whole numbers: all sums and products are exact, in any order.
#define DEFINE(NAME, c_type)                                                                       \
    REDUCTION_FILL(NAME, c_type, (of_rank * 5 + i) % 3 - 1.5)                                      \
    REDUCTION_FOLD(NAME, c_type, MAX, x > y ? x : y)                                               \
    REDUCTION_FOLD(NAME, c_type, MIN, x < y ? x : y)                                               \
    REDUCTION_FOLD(NAME, c_type, SUM, x + y)                                                       \
    REDUCTION_FOLD(NAME, c_type, PROD, x *y)
DEFINE(float, float)
DEFINE(double, double)
DEFINE(long_double, long double)

#define RUN(NAME, c_type, mpi_type)                                                                \
    CHECK_REDUCTION(NAME, c_type, mpi_type, MAX);                                                  \
    CHECK_REDUCTION(NAME, c_type, mpi_type, MIN);                                                  \
    CHECK_REDUCTION(NAME, c_type, mpi_type, SUM);                                                  \
    CHECK_REDUCTION(NAME, c_type, mpi_type, PROD);

int main(int argc, char **argv) {
    start(&argc, &argv);
    RUN(float, float, MPI_FLOAT)
    RUN(double, double, MPI_DOUBLE)
    RUN(long_double, long double, MPI_LONG_DOUBLE)
    RUN(float, float, MPI_REAL)
    RUN(double, double, MPI_DOUBLE_PRECISION)
    RUN(float, float, MPI_REAL4)
    RUN(double, double, MPI_REAL8)
    return finish();
}
