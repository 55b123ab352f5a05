// MPI 5.0 section 6.9.2: Complex: MPI_COMPLEX, MPI_C_FLOAT_COMPLEX (as MPI_C_COMPLEX),
// MPI_C_DOUBLE_COMPLEX, MPI_C_LONG_DOUBLE_COMPLEX ...: allowed for MPI_SUM and MPI_PROD.
// ranks: 1 2 5 9
#include "reductions.h"

#include <complex.h>

// Gaussian integers: exact in any order.
#define DEFINE(NAME, c_type)                                                                       \
    REDUCTION_FILL(NAME, c_type, (of_rank + i) % 3 - 1 + ((of_rank + 2 * i) % 3 + 1) * I)          \
    REDUCTION_FOLD(NAME, c_type, SUM, x + y)                                                       \
    REDUCTION_FOLD(NAME, c_type, PROD, x *y)
DEFINE(float, float complex)
DEFINE(double, double complex)
DEFINE(long_double, long double complex)

#define RUN(NAME, c_type, mpi_type)                                                                \
    CHECK_REDUCTION(NAME, c_type, mpi_type, SUM);                                                  \
    CHECK_REDUCTION(NAME, c_type, mpi_type, PROD);

int main(int argc, char **argv) {
    start(&argc, &argv);
    RUN(float, float complex, MPI_C_COMPLEX)
    RUN(float, float complex, MPI_C_FLOAT_COMPLEX)
    RUN(double, double complex, MPI_C_DOUBLE_COMPLEX)
    RUN(long_double, long double complex, MPI_C_LONG_DOUBLE_COMPLEX)
    RUN(float, float complex, MPI_CXX_FLOAT_COMPLEX)
    RUN(double, double complex, MPI_CXX_DOUBLE_COMPLEX)
    RUN(long_double, long double complex, MPI_CXX_LONG_DOUBLE_COMPLEX)
    RUN(float, float complex, MPI_COMPLEX)
    RUN(double, double complex, MPI_DOUBLE_COMPLEX)
    RUN(float, float complex, MPI_COMPLEX8)
    RUN(double, double complex, MPI_COMPLEX16)
    return finish();
}
