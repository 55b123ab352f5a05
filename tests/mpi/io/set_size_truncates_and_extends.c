// MPI 5.0 section 14.2.4: "If size is smaller than the current file size, the file is truncated at
// the position defined by size." ... "If size is larger than the current file size, the file size
// becomes size. Regions of the file that have been previously written are unaffected." ...
// "MPI_FILE_SET_SIZE does not affect the individual file pointers or the shared file pointer."
// ranks: 1 4
#include "files.h"

int main(void) {
    start_with_file();
    MPI_File file = open_new();
    char text[] = "abcdefghij";
    CHECK_SUCCESS(MPI_File_write_at_all(file, 0, text, 10, MPI_CHAR, MPI_STATUS_IGNORE));
    CHECK_SUCCESS(MPI_File_seek(file, 7, MPI_SEEK_SET));
    CHECK_SUCCESS(MPI_File_seek_shared(file, 8, MPI_SEEK_SET));
    CHECK_SUCCESS(MPI_File_set_size(file, 1000));
    CHECK_EQUAL(size_of(file), 1000);
    CHECK_SUCCESS(MPI_File_set_size(file, 4));
    CHECK_EQUAL(size_of(file), 4);
    CHECK_EQUAL(position_of(file), 7);
    CHECK_EQUAL(shared_position_of(file), 8);
    char back[16] = "................";
    MPI_Status status;
    CHECK_SUCCESS(MPI_File_read_at(file, 0, back, 10, MPI_CHAR, &status));
    CHECK_EQUAL(count_in(&status, MPI_CHAR), 4);
    CHECK_EQUAL(memcmp(back, "abcd......", 10), 0);
    CHECK_ERROR(MPI_File_set_size(file, -1), MPI_ERR_ARG);
    if (size > 1)
        CHECK_ERROR(MPI_File_set_size(file, 10 + (rank == 1)), MPI_ERR_NOT_SAME);
    CHECK_EQUAL(size_of(file), 4);
    barrier();
    close_file(&file);
    return finish();
}
