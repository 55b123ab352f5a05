// MPI 5.0 section 12.3.4: "Any of the predefined operators for MPI_REDUCE can be used." "The
// operator op applies to elements of that predefined type." Here: floating point and complex types,
// of 4 to 32 bytes.
// ranks: 1 4
#include "accumulates.h"
#include "element_types.h"

FLOATING_TYPES(DEFINE_FLOATING)
COMPLEX_TYPES(DEFINE_COMPLEX)

#define RUN_FLOATING(NAME, c_type, mpi_type)                                                       \
    CHECK_FLOATING(CHECK_ACCUMULATE, NAME, c_type, mpi_type)
#define RUN_COMPLEX(NAME, c_type, mpi_type) CHECK_COMPLEX(CHECK_ACCUMULATE, NAME, c_type, mpi_type)

int main(int argc, char **argv) {
    start(&argc, &argv);
    FLOATING_TYPES(RUN_FLOATING)
    COMPLEX_TYPES(RUN_COMPLEX)
    return finish();
}
