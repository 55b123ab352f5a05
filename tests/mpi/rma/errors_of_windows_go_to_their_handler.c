// MPI 5.0 section 12.6.1: "Errors occurring during calls to routines that create MPI windows (e.g.,
// MPI_WIN_CREATE) cause an error to be raised on the communicator provided to that procedure call.
// All other RMA calls have an input window argument on which errors will be raised if they occur.
// The error handler MPI_ERRORS_ARE_FATAL is associated with the window during its creation."
// ranks: 1 2
#include "windows.h"

static MPI_Win seen_win;
static MPI_Comm seen_comm;
static int win_calls, comm_calls, seen_code;

static void on_win_error(MPI_Win *win, int *code, ...) {
    seen_win = *win;
    seen_code = *code;
    ++win_calls;
}

static void on_comm_error(MPI_Comm *comm, int *code, ...) {
    seen_comm = *comm;
    seen_code = *code;
    ++comm_calls;
}

static int class_seen(void) {
    int error_class;
    MPI_Error_class(seen_code, &error_class);
    return error_class;
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    int memory[4] = {0};
    MPI_Win win;
    MPI_Errhandler of_win, of_comm, found;
    MPI_Win_create_errhandler(on_win_error, &of_win);
    MPI_Comm_create_errhandler(on_comm_error, &of_comm);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, of_comm);
    CHECK(MPI_Win_create(memory, -1, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &win) != MPI_SUCCESS);
    CHECK_EQUAL(comm_calls, 1);
    CHECK(seen_comm == MPI_COMM_WORLD);
    CHECK_EQUAL(class_seen(), MPI_ERR_SIZE);
    CHECK_SUCCESS(MPI_Win_create(memory, sizeof memory, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    CHECK_SUCCESS(MPI_Win_get_errhandler(win, &found));
    CHECK(found == MPI_ERRORS_ARE_FATAL);
    CHECK_ERROR(
        MPI_Win_set_errhandler(win, (MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN), of_comm)),
        MPI_ERR_ERRHANDLER); // it was made for communicators
    CHECK_SUCCESS(MPI_Win_set_errhandler(win, of_win));
    CHECK_SUCCESS(MPI_Win_get_errhandler(win, &found));
    CHECK(found == of_win);
    MPI_Errhandler_free(&found);
    MPI_Errhandler_free(&of_win); // the window keeps it
    CHECK(MPI_Put(memory, 1, MPI_INT, 0, 0, 1, MPI_INT, win) != MPI_SUCCESS);
    CHECK_EQUAL(win_calls, 1);
    CHECK(seen_win == win);
    CHECK_EQUAL(class_seen(), MPI_ERR_RMA_SYNC);
    CHECK(MPI_Win_lock(MPI_LOCK_SHARED, size, 0, win) != MPI_SUCCESS);
    CHECK_EQUAL(class_seen(), MPI_ERR_RANK);
    CHECK(MPI_Put(memory, -1, MPI_INT, 0, 0, 1, MPI_INT, win) != MPI_SUCCESS);
    CHECK_EQUAL(class_seen(), MPI_ERR_COUNT);
    CHECK_EQUAL(win_calls, 3);
    CHECK_SUCCESS(MPI_Win_call_errhandler(win, MPI_ERR_OTHER));
    CHECK_EQUAL(win_calls, 4);
    CHECK_EQUAL(seen_code, MPI_ERR_OTHER);
    // MPI_Win_free has the window's address only, and yet its error is the window's.
    CHECK_SUCCESS(MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win));
    CHECK(MPI_Win_free(&win) != MPI_SUCCESS);
    CHECK_EQUAL(win_calls, 5);
    CHECK_EQUAL(class_seen(), MPI_ERR_RMA_SYNC);
    CHECK_SUCCESS(MPI_Win_unlock(rank, win));
    CHECK_EQUAL(comm_calls, 1);
    CHECK_SUCCESS(MPI_Win_free(&win));
    MPI_Errhandler_free(&of_comm);
    return finish();
}
