// MPI 5.0 section 14.2.5: "MPI_FILE_PREALLOCATE ensures that storage space is allocated for the
// first size bytes of the file associated with fh." ... "If size is larger than the current file
// size, the file size increases to size. If size is less than or equal to the current file size,
// the file size is unchanged."
// ranks: 1 3
#include "files.h"

int main(void) {
    start_with_file();
    MPI_File file = open_new();
    char text[] = "0123456789";
    CHECK_SUCCESS(MPI_File_write_at_all(file, 0, text, 10, MPI_CHAR, MPI_STATUS_IGNORE));
    CHECK_SUCCESS(MPI_File_preallocate(file, 100000));
    CHECK_EQUAL(size_of(file), 100000);
    struct stat status;
    CHECK_EQUAL(stat(file_name, &status), 0);
    CHECK(status.st_blocks * 512LL >= 100000);
    CHECK_SUCCESS(MPI_File_preallocate(file, 5));
    CHECK_SUCCESS(MPI_File_preallocate(file, 0));
    CHECK_EQUAL(size_of(file), 100000);
    char back[10];
    CHECK_EQUAL(read_outside(0, back, 10), 10);
    CHECK_EQUAL(memcmp(back, text, 10), 0);
    CHECK_ERROR(MPI_File_preallocate(file, -5), MPI_ERR_ARG);
    close_file(&file);
    return finish();
}
