// MPI 5.0 section 12.2.7: "An MPI implementation is required to return all hints that are supported
// by the implementation and have default values specified; any user-supplied hints that were not
// ignored by the implementation; and any additional hints that were set by the implementation."
// ranks: 1 3
#include "windows.h"

static void expect(MPI_Win win, const char *key, const char *value) {
    MPI_Info used;
    char found[MPI_MAX_INFO_VAL + 1] = "";
    int length = sizeof found, flag = 0;
    CHECK_SUCCESS(MPI_Win_get_info(win, &used));
    CHECK_SUCCESS(MPI_Info_get_string(used, key, &length, found, &flag));
    CHECK_EQUAL(flag, value != NULL);
    if (value && strcmp(found, value) != 0) {
        fprintf(stderr, "%s is %s, not %s\n", key, found, value);
        CHECK(0);
    }
    MPI_Info_free(&used);
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    int *memory;
    MPI_Win win = int_window(1, 0, &memory);
    expect(win, "no_locks", "false");
    expect(win, "accumulate_ordering", "rar,raw,war,waw");
    expect(win, "accumulate_ops", "same_op_no_op");
    expect(win, "mpi_accumulate_granularity", "0");
    expect(win, "same_size", "false");
    expect(win, "same_disp_unit", "false");
    expect(win, "alloc_shared_noncontig", NULL); // of MPI_Win_allocate_shared only
    // "it has no effect on previously set or defaulted hints that are not specified by info", nor
    // have unknown keys and values.
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "accumulate_ordering", "waw,raw");
    MPI_Info_set(info, "same_size", "true");
    MPI_Info_set(info, "same_disp_unit", "perhaps");
    MPI_Info_set(info, "accumulate_ops", "any_op");
    MPI_Info_set(info, "color", "green");
    CHECK_SUCCESS(MPI_Win_set_info(win, info));
    expect(win, "accumulate_ordering", "waw,raw");
    expect(win, "same_size", "true");
    expect(win, "same_disp_unit", "false");
    expect(win, "accumulate_ops", "same_op_no_op");
    expect(win, "no_locks", "false");
    expect(win, "color", NULL);
    CHECK_ERROR(MPI_Win_set_info(win, MPI_INFO_NULL), MPI_ERR_INFO);
    free_window(&win);
    MPI_Info_set(info, "no_locks", "true");
    MPI_Info_set(info, "accumulate_ordering", "none");
    MPI_Info_set(info, "accumulate_ops", "same_op");
    MPI_Info_set(info, "mpi_accumulate_granularity", "64");
    MPI_Info_set(info, "alloc_shared_noncontig", "true");
    MPI_Info_set(info, "mpi_minimum_memory_alignment", "256");
    MPI_Info_set(info, "mpi_assert_memory_alloc_kinds", "system");
    CHECK_SUCCESS(
        MPI_Win_allocate_shared(sizeof(int), sizeof(int), info, MPI_COMM_WORLD, &memory, &win));
    expect(win, "no_locks", "true");
    expect(win, "accumulate_ordering", "none");
    expect(win, "accumulate_ops", "same_op");
    expect(win, "mpi_accumulate_granularity", "64");
    expect(win, "alloc_shared_noncontig", "true");
    expect(win, "mpi_minimum_memory_alignment", "256");
    expect(win, "mpi_assert_memory_alloc_kinds", "system");
    // no_locks has promised that there are none.
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    CHECK_ERROR(MPI_Win_lock_all(0, win), MPI_ERR_RMA_SYNC);
    CHECK_ERROR(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win), MPI_ERR_RMA_SYNC);
    MPI_Info_free(&info);
    free_window(&win);
    return finish();
}
