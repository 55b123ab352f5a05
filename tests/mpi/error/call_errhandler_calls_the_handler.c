// MPI 5.0 section 9.5.2: MPI_COMM_CALL_ERRHANDLER "invokes the error handler assigned to the
// communicator with the error code supplied. This function returns MPI_SUCCESS in C ... if the
// error handler was successfully called (assuming the process is not aborted and the error handler
// returns)."
// ranks: 2
#include "world.h"

static int calls, last_code;
static MPI_Comm last_comm;

static void note(MPI_Comm *comm, int *code, ...) {
    ++calls;
    last_comm = *comm;
    last_code = *code;
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Errhandler handler;
    int new_class, new_code;
    CHECK_SUCCESS(MPI_Comm_create_errhandler(note, &handler));
    CHECK_SUCCESS(MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler));
    CHECK_SUCCESS(MPI_Errhandler_free(&handler));
    CHECK_SUCCESS(MPI_Add_error_class(&new_class));
    CHECK_SUCCESS(MPI_Add_error_code(new_class, &new_code));
    int codes[] = {MPI_ERR_TRUNCATE, MPI_ERR_OTHER, new_class, new_code};
    for (int i = 0; i < 4; ++i) {
        CHECK_SUCCESS(MPI_Comm_call_errhandler(MPI_COMM_WORLD, codes[i]));
        CHECK(calls == i + 1 && last_comm == MPI_COMM_WORLD);
        CHECK_EQUAL(last_code, codes[i]);
    }
    CHECK_SUCCESS(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    CHECK_SUCCESS(MPI_Comm_call_errhandler(MPI_COMM_SELF, MPI_ERR_INTERN));
    CHECK_EQUAL(calls, 4);
    return finish();
}
