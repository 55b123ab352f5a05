// MPI 5.0 section 6.9.2: Complex: MPI_COMPLEX, MPI_C_FLOAT_COMPLEX (as MPI_C_COMPLEX),
// MPI_C_DOUBLE_COMPLEX, MPI_C_LONG_DOUBLE_COMPLEX ...: allowed for MPI_SUM and MPI_PROD.
// ranks: 1 2 5 9
#include "element_types.h"

COMPLEX_TYPES(DEFINE_COMPLEX)

#define RUN_COMPLEX(NAME, c_type, mpi_type) CHECK_COMPLEX(CHECK_REDUCTION, NAME, c_type, mpi_type)

int main(int argc, char **argv) {
    start(&argc, &argv);
    COMPLEX_TYPES(RUN_COMPLEX)
    return finish();
}
