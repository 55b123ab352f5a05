// MPI 5.0 section 12.3.4: "Any of the predefined operators for MPI_REDUCE can be used." "The
// operation is executed atomically for each basic datatype". Here: logical types, bytes, and pairs
// of a value and an index, which may have gaps.
// ranks: 1 4
#include "accumulates.h"
#include "element_types.h"

LOGICAL_TYPES(DEFINE_LOGICAL)
BYTE_TYPES(DEFINE_BYTE)
PAIR_TYPES(DEFINE_PAIR)

#define RUN_LOGICAL(NAME, c_type, mpi_type) CHECK_LOGICAL(CHECK_ACCUMULATE, NAME, c_type, mpi_type)
#define RUN_BYTE(NAME, c_type, mpi_type) CHECK_BYTE(CHECK_ACCUMULATE, NAME, c_type, mpi_type)
#define RUN_PAIR(NAME, c_type, mpi_type) CHECK_PAIR(CHECK_ACCUMULATE, NAME, c_type, mpi_type)

int main(int argc, char **argv) {
    start(&argc, &argv);
    LOGICAL_TYPES(RUN_LOGICAL)
    BYTE_TYPES(RUN_BYTE)
    PAIR_TYPES(RUN_PAIR)
    return finish();
}
