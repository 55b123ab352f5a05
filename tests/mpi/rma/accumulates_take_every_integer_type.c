// MPI 5.0 section 12.3.4: "Any of the predefined operators for MPI_REDUCE can be used." "For
// example, if op is MPI_SUM, each element of the origin buffer is added to the corresponding
// element in the target, replacing the former value in the target." Here: C and Fortran integers.
// ranks: 1 3
#include "accumulates.h"
#include "element_types.h"

INTEGER_TYPES(DEFINE_INTEGER)

#define RUN_INTEGER(NAME, c_type, mpi_type) CHECK_INTEGER(CHECK_ACCUMULATE, NAME, c_type, mpi_type)

int main(int argc, char **argv) {
    start(&argc, &argv);
    INTEGER_TYPES(RUN_INTEGER)
    return finish();
}
