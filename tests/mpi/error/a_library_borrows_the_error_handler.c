// MPI 5.0 section 9.3.1: "a library function may register at its entry point the current error
// handler for a communicator, set its own private error handler for this communicator, and restore
// before exiting the previous error handler"; section 9.3.5: "The error handler will be deallocated
// after all the objects associated with it (communicator, window, or file) have been deallocated."
// ranks: 2
#include "world.h"

static int of_program, of_library;

static void program_handler(MPI_Comm *comm, int *code, ...) {
    ++of_program;
}

static void library_handler(MPI_Comm *comm, int *code, ...) {
    ++of_library;
}

static void library_function(MPI_Comm comm) {
    MPI_Errhandler previous, own;
    int value = 0;
    CHECK_SUCCESS(MPI_Comm_get_errhandler(comm, &previous));
    CHECK_SUCCESS(MPI_Comm_create_errhandler(library_handler, &own));
    CHECK_SUCCESS(MPI_Comm_set_errhandler(comm, own));
    CHECK_SUCCESS(MPI_Errhandler_free(&own)); // in use still
    CHECK(own == MPI_ERRHANDLER_NULL);
    CHECK_ERROR(MPI_Send(&value, -1, MPI_INT, 0, 0, comm), MPI_ERR_COUNT);
    CHECK_SUCCESS(MPI_Comm_set_errhandler(comm, previous));
    CHECK_SUCCESS(MPI_Errhandler_free(&previous));
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Errhandler handler, current;
    int value = 0;
    CHECK_SUCCESS(MPI_Comm_get_errhandler(MPI_COMM_WORLD, &current));
    CHECK(current == MPI_ERRORS_ARE_FATAL); // "the default initial error handler"
    CHECK_SUCCESS(MPI_Errhandler_free(&current));
    CHECK_SUCCESS(MPI_Comm_create_errhandler(program_handler, &handler));
    CHECK_SUCCESS(MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler));
    CHECK_SUCCESS(MPI_Comm_get_errhandler(MPI_COMM_WORLD, &current));
    CHECK(current == handler);
    CHECK_SUCCESS(MPI_Errhandler_free(&current));
    CHECK_SUCCESS(MPI_Errhandler_free(&handler));
    for (int i = 0; i < 3; ++i) {
        library_function(MPI_COMM_WORLD);
        CHECK(of_library == i + 1 && of_program == i);
        CHECK_ERROR(MPI_Send(&value, -1, MPI_INT, 0, 0, MPI_COMM_WORLD), MPI_ERR_COUNT);
        CHECK(of_library == i + 1 && of_program == i + 1);
    }
    return finish();
}
