// MPI 5.0 section 16.2: "The following function typedefs have been deprecated and are superseded by
// new names. Other than the typedef names, the function signatures are exactly the same"
// ranks: 1
#include "world.h"

static int calls;

static void note(MPI_Comm *comm, int *code, ...) {
    ++calls;
}

static void note_win(MPI_Win *win, int *code, ...) {}

static void note_file(MPI_File *file, int *code, ...) {}

int main(void) {
    start(NULL, NULL);
    MPI_Comm_errhandler_fn *function = note;
    MPI_Comm_errhandler_function *same = function;
    MPI_Win_errhandler_fn *of_window = note_win;
    MPI_Win_errhandler_function *same_of_window = of_window;
    MPI_File_errhandler_fn *of_file = note_file;
    MPI_File_errhandler_function *same_of_file = of_file;
    CHECK(same_of_window == note_win && same_of_file == note_file);
    MPI_Errhandler handler;
    CHECK_SUCCESS(MPI_Comm_create_errhandler(same, &handler));
    CHECK_SUCCESS(MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler));
    CHECK_ERROR(MPI_Send(NULL, -1, MPI_INT, 0, 0, MPI_COMM_WORLD), MPI_ERR_COUNT);
    CHECK_EQUAL(calls, 1);
    CHECK_SUCCESS(MPI_Errhandler_free(&handler));
    MPI_Finalize();
    return 0;
}
