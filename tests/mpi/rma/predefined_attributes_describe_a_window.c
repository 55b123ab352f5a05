// MPI 5.0 section 12.2.6: "The following attributes are cached with a window when the window is
// created." MPI_WIN_BASE, MPI_WIN_SIZE, MPI_WIN_DISP_UNIT, MPI_WIN_CREATE_FLAVOR, MPI_WIN_MODEL.
// "In the case of windows created with MPI_WIN_CREATE_DYNAMIC, the base address is MPI_BOTTOM and
// the size is 0."
// ranks: 1 3
#include "windows.h"

static void check(MPI_Win win, void *base, MPI_Aint bytes, int unit, int flavor) {
    void *found_base;
    MPI_Aint *found_bytes;
    int *found_unit, *found_flavor, *model, flag;
    CHECK_SUCCESS(MPI_Win_get_attr(win, MPI_WIN_BASE, &found_base, &flag));
    CHECK(flag && found_base == base);
    CHECK_SUCCESS(MPI_Win_get_attr(win, MPI_WIN_SIZE, &found_bytes, &flag));
    CHECK(flag);
    CHECK_EQUAL(*found_bytes, bytes);
    CHECK_SUCCESS(MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, &found_unit, &flag));
    CHECK(flag);
    CHECK_EQUAL(*found_unit, unit);
    CHECK_SUCCESS(MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, &found_flavor, &flag));
    CHECK(flag);
    CHECK_EQUAL(*found_flavor, flavor);
    CHECK_SUCCESS(MPI_Win_get_attr(win, MPI_WIN_MODEL, &model, &flag));
    CHECK(flag);
    CHECK_EQUAL(*model, MPI_WIN_UNIFIED);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    CHECK_ERROR(MPI_Win_set_attr(win, MPI_WIN_SIZE, &flag), MPI_ERR_KEYVAL);
    CHECK_ERROR(MPI_Win_delete_attr(win, MPI_WIN_BASE), MPI_ERR_KEYVAL);
    MPI_Win_free(&win);
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    char memory[100], *allocated;
    MPI_Win win;
    MPI_Win_create(memory, 10 + rank, 2, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    check(win, memory, 10 + rank, 2, MPI_WIN_FLAVOR_CREATE);
    MPI_Win_allocate(1000, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &allocated, &win);
    check(win, allocated, 1000, 8, MPI_WIN_FLAVOR_ALLOCATE);
    MPI_Win_allocate_shared(24, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &allocated, &win);
    check(win, allocated, 24, 4, MPI_WIN_FLAVOR_SHARED);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    check(win, MPI_BOTTOM, 0, 1, MPI_WIN_FLAVOR_DYNAMIC);
    return finish();
}
