// MPI 5.0 section 12.3.4: "Any of the predefined operators for MPI_REDUCE can be used." "The
// operator op applies to elements of that predefined type." Here: floating point and complex types,
// of 4 to 32 bytes.
// ranks: 1 4
#include "accumulates.h"

#include <complex.h>

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
    CHECK_ACCUMULATE(NAME, c_type, mpi_type, MAX);                                                 \
    CHECK_ACCUMULATE(NAME, c_type, mpi_type, MIN);                                                 \
    CHECK_ACCUMULATE(NAME, c_type, mpi_type, SUM);                                                 \
    CHECK_ACCUMULATE(NAME, c_type, mpi_type, PROD);

// Gaussian integers: exact in any order.
#define DEFINE_COMPLEX(NAME, c_type)                                                               \
    REDUCTION_FILL(NAME, c_type, (of_rank + i) % 3 - 1 + ((of_rank + 2 * i) % 3 + 1) * I)          \
    REDUCTION_FOLD(NAME, c_type, SUM, x + y)                                                       \
    REDUCTION_FOLD(NAME, c_type, PROD, x *y)
DEFINE_COMPLEX(float_complex, float complex)
DEFINE_COMPLEX(double_complex, double complex)
DEFINE_COMPLEX(long_double_complex, long double complex)

#define RUN_COMPLEX(NAME, c_type, mpi_type)                                                        \
    CHECK_ACCUMULATE(NAME, c_type, mpi_type, SUM);                                                 \
    CHECK_ACCUMULATE(NAME, c_type, mpi_type, PROD);

int main(int argc, char **argv) {
    start(&argc, &argv);
    RUN(float, float, MPI_FLOAT)
    RUN(double, double, MPI_DOUBLE)
    RUN(long_double, long double, MPI_LONG_DOUBLE)
    RUN(float, float, MPI_REAL)
    RUN(double, double, MPI_DOUBLE_PRECISION)
    RUN(float, float, MPI_REAL4)
    RUN(double, double, MPI_REAL8)
    RUN_COMPLEX(float_complex, float complex, MPI_C_COMPLEX)
    RUN_COMPLEX(float_complex, float complex, MPI_C_FLOAT_COMPLEX)
    RUN_COMPLEX(double_complex, double complex, MPI_C_DOUBLE_COMPLEX)
    RUN_COMPLEX(long_double_complex, long double complex, MPI_C_LONG_DOUBLE_COMPLEX)
    RUN_COMPLEX(float_complex, float complex, MPI_CXX_FLOAT_COMPLEX)
    RUN_COMPLEX(double_complex, double complex, MPI_CXX_DOUBLE_COMPLEX)
    RUN_COMPLEX(long_double_complex, long double complex, MPI_CXX_LONG_DOUBLE_COMPLEX)
    RUN_COMPLEX(float_complex, float complex, MPI_COMPLEX)
    RUN_COMPLEX(double_complex, double complex, MPI_DOUBLE_COMPLEX)
    RUN_COMPLEX(float_complex, float complex, MPI_COMPLEX8)
    RUN_COMPLEX(double_complex, double complex, MPI_COMPLEX16)
    return finish();
}
