// MPI 5.0 section 7.8: MPI_WIN_GET_NAME: win_name is "the name previously stored on the window, or
// an empty string if no such name exists". "Passing MPI_WIN_NULL as win will return the string
// "MPI_WIN_NULL"."
// ranks: 1 2
#include "windows.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int *memory, length = -1;
    char name[MPI_MAX_OBJECT_NAME], longer[2 * MPI_MAX_OBJECT_NAME];
    MPI_Win win = int_window(1, 0, &memory);
    CHECK_SUCCESS(MPI_Win_get_name(win, name, &length));
    CHECK_EQUAL(length, 0);
    CHECK_EQUAL(name[0], 0);
    CHECK_SUCCESS(MPI_Win_set_name(win, "halo of the grid"));
    CHECK_SUCCESS(MPI_Win_get_name(win, name, &length));
    CHECK_EQUAL(length, strlen("halo of the grid"));
    CHECK_EQUAL(strcmp(name, "halo of the grid"), 0);
    memset(longer, 'n', sizeof longer);
    longer[sizeof longer - 1] = 0;
    CHECK_SUCCESS(MPI_Win_set_name(win, longer));
    CHECK_SUCCESS(MPI_Win_get_name(win, name, &length));
    CHECK_EQUAL(length, MPI_MAX_OBJECT_NAME - 1);
    CHECK_EQUAL(strlen(name), MPI_MAX_OBJECT_NAME - 1);
    free_window(&win);
    CHECK_SUCCESS(MPI_Win_get_name(MPI_WIN_NULL, name, &length));
    CHECK_EQUAL(strcmp(name, "MPI_WIN_NULL"), 0);
    CHECK_EQUAL(length, strlen(name));
    return finish();
}
