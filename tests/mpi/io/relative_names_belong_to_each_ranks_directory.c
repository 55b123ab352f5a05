// MPI 5.0 section 14.2.1: "``/tmp/foo'' may denote different files on different processes, or a
// single file may have many names, dependent on process location." A relative name means what it
// means to the rank: each has a working directory and a umask of its own.
// ranks: 3
#include "files.h"

int main(void) {
    start_with_file();
    char directory[600], name[100];
    snprintf(directory, sizeof directory, "%s.%d", file_name, rank);
    CHECK_EQUAL(mkdir(directory, 0700), 0);
    CHECK_EQUAL(chdir(directory), 0);
    umask(rank == 1 ? 077 : 022);
    barrier();
    MPI_File file;
    CHECK_SUCCESS(MPI_File_open(MPI_COMM_SELF, "relative", MPI_MODE_CREATE | MPI_MODE_RDWR,
                                MPI_INFO_NULL, &file));
    CHECK_SUCCESS(MPI_File_write(file, &rank, 1, MPI_INT, MPI_STATUS_IGNORE));
    CHECK_SUCCESS(MPI_File_close(&file));
    struct stat status;
    CHECK_EQUAL(stat("relative", &status), 0);
    CHECK_EQUAL(status.st_size, 4);
    CHECK_EQUAL(status.st_mode & 0777, rank == 1 ? 0600 : 0644);
    barrier();
    // Together they must mean one file.
    CHECK_ERROR(MPI_File_open(MPI_COMM_WORLD, "relative", MPI_MODE_RDONLY, MPI_INFO_NULL, &file),
                MPI_ERR_NOT_SAME);
    const char *base = strrchr(file_name, '/') + 1;
    snprintf(name, sizeof name, "../%s.0/relative", base);
    CHECK_SUCCESS(MPI_File_open(MPI_COMM_WORLD, rank == 0 ? "relative" : name,
                                MPI_MODE_RDONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file));
    // Rank 0 goes away, and the right file is deleted.
    CHECK_EQUAL(chdir("/"), 0);
    int number = -1;
    CHECK_SUCCESS(MPI_File_read_all(file, &number, 1, MPI_INT, MPI_STATUS_IGNORE));
    CHECK_EQUAL(number, 0);
    close_file(&file);
    CHECK_EQUAL(chdir(directory), 0);
    CHECK_EQUAL(access("relative", F_OK) == 0, rank != 0);
    if (rank != 0)
        CHECK_SUCCESS(MPI_File_delete("relative", MPI_INFO_NULL));
    CHECK_EQUAL(chdir("/"), 0);
    CHECK_EQUAL(rmdir(directory), 0);
    return finish();
}
