// MPI 5.0 section 9.3 gives errors without an object to the error handler of MPI_COMM_SELF. A
// program of before MPI 4 has set that of MPI_COMM_WORLD alone: then Thrum takes this one, until
// the program sets the other, too.
// ranks: 2
// exit: 3
// expect: ^rank [01]: 2 errors have returned$
// expect: MPI_Type_size: MPI_ERR_TYPE
#include "world.h"

static int calls = 0;

static void note(MPI_Comm *comm, int *code, ...) {
    (void)code;
    ++calls;
    CHECK(*comm == MPI_COMM_WORLD);
}

int main(void) {
    start(NULL, NULL);
    MPI_Errhandler handler;
    int bytes;
    CHECK_SUCCESS(MPI_Comm_create_errhandler(note, &handler));
    CHECK_SUCCESS(MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler));
    CHECK_ERROR(MPI_Type_size(MPI_DATATYPE_NULL, &bytes), MPI_ERR_TYPE);
    CHECK_EQUAL(calls, 1);
    CHECK_SUCCESS(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_ERROR(MPI_Type_size(MPI_DATATYPE_NULL, &bytes), MPI_ERR_TYPE);
    CHECK_EQUAL(calls, 1);
    printf("rank %d: 2 errors have returned\n", rank);
    fflush(stdout);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_SUCCESS(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL));
    MPI_Type_size(MPI_DATATYPE_NULL, &bytes);
    return 0;
}
