// MPI 5.0 section 12.2: "MPI provides the following window initialization functions:
// MPI_WIN_CREATE, MPI_WIN_ALLOCATE, MPI_WIN_ALLOCATE_SHARED, and MPI_WIN_CREATE_DYNAMIC, which are
// collective over the group of an intracommunicator."
// ranks: 2 5
#include "windows.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    TwoGroups groups = split_in_two_groups();
    MPI_Win win;
    char memory[8], *base;
    MPI_Comm_set_errhandler(groups.inter, MPI_ERRORS_RETURN);
    CHECK_ERROR(MPI_Win_create(memory, 8, 1, MPI_INFO_NULL, groups.inter, &win), MPI_ERR_COMM);
    CHECK_ERROR(MPI_Win_allocate(8, 1, MPI_INFO_NULL, groups.inter, &base, &win), MPI_ERR_COMM);
    CHECK_ERROR(MPI_Win_allocate_shared(8, 1, MPI_INFO_NULL, groups.inter, &base, &win),
                MPI_ERR_COMM);
    CHECK_ERROR(MPI_Win_create_dynamic(MPI_INFO_NULL, groups.inter, &win), MPI_ERR_COMM);
    // Each of the two groups may have one.
    CHECK_SUCCESS(MPI_Win_create(memory, 8, 1, MPI_INFO_NULL, groups.local, &win));
    CHECK_SUCCESS(MPI_Win_free(&win));
    free_two_groups(&groups);
    return finish();
}
