// MPI 5.0 section 6.9.2: "Logical: MPI_LOGICAL, MPI_C_BOOL, MPI_CXX_BOOL ...; Byte: MPI_BYTE":
// allowed for MPI_LAND, MPI_LOR, MPI_LXOR and for MPI_BAND, MPI_BOR, MPI_BXOR.
// ranks: 1 2 5 9
#include "element_types.h"

LOGICAL_TYPES(DEFINE_LOGICAL)
BYTE_TYPES(DEFINE_BYTE)

#define RUN_LOGICAL(NAME, c_type, mpi_type) CHECK_LOGICAL(CHECK_REDUCTION, NAME, c_type, mpi_type)
#define RUN_BYTE(NAME, c_type, mpi_type) CHECK_BYTE(CHECK_REDUCTION, NAME, c_type, mpi_type)

int main(int argc, char **argv) {
    start(&argc, &argv);
    LOGICAL_TYPES(RUN_LOGICAL)
    BYTE_TYPES(RUN_BYTE)
    return finish();
}
