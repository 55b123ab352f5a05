// MPI 5.0 section 19.1.9: MPI_TYPE_MATCH_SIZE "returns an MPI datatype matching a local variable of
// type (typeclass, size)"; "It is erroneous to specify a size not supported by the compiler."
// ranks: 1
#include "world.h"

static void check_match(int class, int bytes) {
    MPI_Datatype type;
    int actual;
    CHECK_SUCCESS(MPI_Type_match_size(class, bytes, &type));
    MPI_Type_size(type, &actual);
    CHECK_EQUAL(actual, bytes);
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    for (int bytes = 1; bytes <= 8; bytes *= 2)
        check_match(MPI_TYPECLASS_INTEGER, bytes);
    for (int bytes = 4; bytes <= 8; bytes *= 2) {
        check_match(MPI_TYPECLASS_REAL, bytes);
        check_match(MPI_TYPECLASS_COMPLEX, 2 * bytes);
    }
    MPI_Datatype type;
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK_ERROR(MPI_Type_match_size(MPI_TYPECLASS_REAL, 5, &type), MPI_ERR_ARG);
    return finish();
}
