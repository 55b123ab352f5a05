// MPI 5.0 section 6.9.2: C integers and multi-language types are allowed for MPI_MAX, MPI_MIN,
// MPI_SUM, MPI_PROD and the bitwise operations, C integers for the logical ones too.
// ranks: 1 2 5
#include "element_types.h"

INTEGER_TYPES(DEFINE_INTEGER)

#define RUN_INTEGER(NAME, c_type, mpi_type) CHECK_INTEGER(CHECK_REDUCTION, NAME, c_type, mpi_type)

// Any value but 0 is true; the odd ranks contribute 3.
#define RUN_ON_INTEGER(NAME, c_type, mpi_type)                                                     \
    {                                                                                              \
        c_type mine = (c_type)(rank % 2 ? 3 : 0), all, any, odd;                                   \
        MPI_Allreduce(&mine, &all, 1, mpi_type, MPI_LAND, MPI_COMM_WORLD);                         \
        MPI_Allreduce(&mine, &any, 1, mpi_type, MPI_LOR, MPI_COMM_WORLD);                          \
        MPI_Allreduce(&mine, &odd, 1, mpi_type, MPI_LXOR, MPI_COMM_WORLD);                         \
        CHECK(!all);                                                                               \
        CHECK_EQUAL(!!any, size > 1);                                                              \
        CHECK_EQUAL(!!odd, size / 2 % 2);                                                          \
    }

static void check_logical(void) {
    RUN_ON_INTEGER(signed_char, signed char, MPI_SIGNED_CHAR)
    RUN_ON_INTEGER(unsigned_char, unsigned char, MPI_UNSIGNED_CHAR)
    RUN_ON_INTEGER(short, short, MPI_SHORT)
    RUN_ON_INTEGER(unsigned_short, unsigned short, MPI_UNSIGNED_SHORT)
    RUN_ON_INTEGER(int, int, MPI_INT)
    RUN_ON_INTEGER(unsigned, unsigned, MPI_UNSIGNED)
    RUN_ON_INTEGER(long, long, MPI_LONG)
    RUN_ON_INTEGER(unsigned_long, unsigned long, MPI_UNSIGNED_LONG)
    RUN_ON_INTEGER(long_long, long long, MPI_LONG_LONG)
    RUN_ON_INTEGER(uint64, uint64_t, MPI_UINT64_T)
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    INTEGER_TYPES(RUN_INTEGER)
    check_logical();
    return finish();
}
