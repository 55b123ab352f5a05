// MPI 5.0 section 7.7.3: "If an attribute copy function or attribute delete function returns other
// than MPI_SUCCESS, then the call that caused it to be invoked (for example, MPI_WIN_FREE), is
// erroneous."
// ranks: 1 2
#include "windows.h"

static MPI_Win expected_win;
static int deleted[4], calls, refuse;

static int on_delete(MPI_Win win, int keyval, void *value, void *extra) {
    CHECK(win == expected_win);
    CHECK(extra == &calls);
    if (refuse)
        return MPI_ERR_OTHER;
    deleted[calls++] = *(int *)value;
    return MPI_SUCCESS;
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    int *memory, keys[2], values[3] = {10, 20, 30}, *found, flag = -1;
    MPI_Win win = int_window(1, 0, &memory);
    expected_win = win;
    for (int i = 0; i < 2; ++i)
        CHECK_SUCCESS(MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, on_delete, &keys[i], &calls));
    CHECK_SUCCESS(MPI_Win_get_attr(win, keys[0], &found, &flag));
    CHECK_EQUAL(flag, 0);
    CHECK_SUCCESS(MPI_Win_set_attr(win, keys[0], &values[0]));
    CHECK_SUCCESS(MPI_Win_set_attr(win, keys[1], &values[1]));
    CHECK_SUCCESS(MPI_Win_get_attr(win, keys[1], &found, &flag));
    CHECK(flag && found == &values[1]);
    CHECK_SUCCESS(MPI_Win_set_attr(win, keys[1], &values[2])); // deletes the old value
    CHECK_EQUAL(calls, 1);
    CHECK_EQUAL(deleted[0], 20);
    CHECK_SUCCESS(MPI_Win_delete_attr(win, keys[0]));
    CHECK_EQUAL(deleted[1], 10);
    CHECK_SUCCESS(MPI_Win_set_attr(win, keys[0], &values[0]));
    CHECK_SUCCESS(MPI_Win_free_keyval(&keys[1]));
    CHECK_EQUAL(keys[1], MPI_KEYVAL_INVALID);
    CHECK_ERROR(MPI_Win_set_attr(win, MPI_KEYVAL_INVALID, NULL), MPI_ERR_KEYVAL);
    // A callback's error stops the call, and the window is as it was.
    refuse = 1;
    CHECK_ERROR(MPI_Win_free(&win), MPI_ERR_OTHER);
    CHECK(win != MPI_WIN_NULL);
    refuse = 0;
    CHECK_SUCCESS(MPI_Win_get_attr(win, keys[0], &found, &flag));
    CHECK(flag && *found == 10);
    free_window(&win);
    CHECK_EQUAL(calls, 4);
    CHECK_EQUAL(deleted[2] + deleted[3], 40);
    MPI_Win_free_keyval(&keys[0]);
    return finish();
}
