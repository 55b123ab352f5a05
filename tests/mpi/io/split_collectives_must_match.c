// MPI 5.0 section 14.4.5: "On any MPI process, each file handle may have at most one active split
// collective operation at any time." ... "No collective I/O operations are permitted on a file
// handle concurrently with a split collective access on that file handle (i.e., between the begin
// and end of the access)."
// ranks: 2
#include "files.h"

int main(void) {
    start_with_file();
    MPI_File file = open_new();
    int number = rank, other;
    MPI_Status status;
    CHECK_ERROR(MPI_File_write_all_end(file, &number, &status), MPI_ERR_IO);
    CHECK_SUCCESS(MPI_File_write_at_all_begin(file, 4 * rank, &number, 1, MPI_INT));
    CHECK_ERROR(MPI_File_read_all_begin(file, &other, 1, MPI_INT), MPI_ERR_IO);
    CHECK_ERROR(MPI_File_read_all(file, &other, 1, MPI_INT, &status), MPI_ERR_IO);
    CHECK_ERROR(MPI_File_read_ordered(file, &other, 1, MPI_INT, &status), MPI_ERR_IO);
    CHECK_ERROR(MPI_File_write_all_end(file, &number, &status), MPI_ERR_IO);
    CHECK_ERROR(MPI_File_write_at_all_end(file, &other, &status), MPI_ERR_BUFFER);
    // Other access is allowed.
    CHECK_SUCCESS(MPI_File_write_at(file, 100 + rank, "x", 1, MPI_CHAR, &status));
    CHECK_SUCCESS(MPI_File_write_at_all_end(file, &number, &status));
    CHECK_EQUAL(count_in(&status, MPI_INT), 1);
    CHECK_ERROR(MPI_File_write_at_all_end(file, &number, &status), MPI_ERR_IO);
    close_file(&file);
    return finish();
}
