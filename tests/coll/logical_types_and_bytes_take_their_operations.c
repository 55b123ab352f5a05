// MPI 5.0 section 6.9.2: "Logical: MPI_LOGICAL, MPI_C_BOOL, MPI_CXX_BOOL ...; Byte: MPI_BYTE":
// allowed for MPI_LAND, MPI_LOR, MPI_LXOR and for MPI_BAND, MPI_BOR, MPI_BXOR.
// ranks: 1 2 5 9
#include "reductions.h"

#include <stdbool.h>

#define DEFINE(NAME, c_type)                                                                       \
    REDUCTION_FILL(NAME, c_type, (of_rank * 3 + i) % (2 + i % 2) == 0)                             \
    REDUCTION_FOLD(NAME, c_type, LAND, x &&y)                                                      \
    REDUCTION_FOLD(NAME, c_type, LOR, x || y)                                                      \
    REDUCTION_FOLD(NAME, c_type, LXOR, !x != !y)
DEFINE(bool, bool)
DEFINE(logical, int)
REDUCTION_FILL(byte, unsigned char, of_rank * 37 + i * 11)
REDUCTION_FOLD(byte, unsigned char, BAND, x &y)
REDUCTION_FOLD(byte, unsigned char, BOR, x | y)
REDUCTION_FOLD(byte, unsigned char, BXOR, x ^ y)

#define RUN(NAME, c_type, mpi_type)                                                                \
    CHECK_REDUCTION(NAME, c_type, mpi_type, LAND);                                                 \
    CHECK_REDUCTION(NAME, c_type, mpi_type, LOR);                                                  \
    CHECK_REDUCTION(NAME, c_type, mpi_type, LXOR);

int main(int argc, char **argv) {
    start(&argc, &argv);
    RUN(bool, bool, MPI_C_BOOL)
    RUN(bool, bool, MPI_CXX_BOOL)
    RUN(logical, int, MPI_LOGICAL)
    CHECK_REDUCTION(byte, unsigned char, MPI_BYTE, BAND);
    CHECK_REDUCTION(byte, unsigned char, MPI_BYTE, BOR);
    CHECK_REDUCTION(byte, unsigned char, MPI_BYTE, BXOR);
    return finish();
}
