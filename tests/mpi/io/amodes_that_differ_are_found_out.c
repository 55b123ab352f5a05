// MPI 5.0 section 14.2.1: "MPI_FILE_OPEN is a collective routine: all processes must provide the
// same value for amode, and all processes must provide filenames that reference the same file.
// (Values for info may vary.)"
// ranks: 2 5
#include "files.h"

int main(void) {
    start_with_file();
    MPI_File file;
    int last = rank == size - 1;
    int amode = MPI_MODE_CREATE | (last ? MPI_MODE_WRONLY : MPI_MODE_RDWR);
    CHECK_ERROR(MPI_File_open(MPI_COMM_WORLD, file_name, amode, MPI_INFO_NULL, &file),
                MPI_ERR_NOT_SAME);
    barrier();
    CHECK(!exists_outside());
    barrier();

    // Two names of one file are fine; two files are not.
    char other[600];
    snprintf(other, sizeof other, "%s.other", file_name);
    write_outside_once("x", 1);
    if (rank == 0)
        CHECK_EQUAL(link(file_name, other), 0);
    barrier();
    CHECK_SUCCESS(MPI_File_open(MPI_COMM_WORLD, last ? other : file_name, MPI_MODE_RDONLY,
                                MPI_INFO_NULL, &file));
    close_file(&file);
    if (rank == 0) {
        unlink(other);
        int descriptor = creat(other, 0600);
        close(descriptor);
    }
    barrier();
    CHECK_ERROR(MPI_File_open(MPI_COMM_WORLD, last ? other : file_name, MPI_MODE_RDONLY,
                              MPI_INFO_NULL, &file),
                MPI_ERR_NOT_SAME);
    barrier();
    if (rank == 0) {
        unlink(other);
        unlink(file_name);
    }
    return finish();
}
