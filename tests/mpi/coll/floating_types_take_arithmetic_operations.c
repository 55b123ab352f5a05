// MPI 5.0 section 6.9.2: "MPI_MAX, MPI_MIN: C integer, Fortran integer, Floating point ...;
// MPI_SUM, MPI_PROD: C integer, Fortran integer, Floating point, Complex ..."
// ranks: 1 2 5 9
#include "element_types.h"

FLOATING_TYPES(DEFINE_FLOATING)

#define RUN_FLOATING(NAME, c_type, mpi_type) CHECK_FLOATING(CHECK_REDUCTION, NAME, c_type, mpi_type)

int main(int argc, char **argv) {
    start(&argc, &argv);
    FLOATING_TYPES(RUN_FLOATING)
    return finish();
}
