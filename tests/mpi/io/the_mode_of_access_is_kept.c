// MPI 5.0 section 14.8: "MPI_ERR_READ_ONLY Read-only file or file system"; "MPI_ERR_ACCESS
// Permission denied": no writing with MPI_MODE_RDONLY, no reading with MPI_MODE_WRONLY.
// ranks: 1 2
#include "files.h"

int main(void) {
    start_with_file();
    write_outside_once("0123", 4);
    MPI_File file;
    char x = 'x';
    MPI_Status status;
    MPI_Request request;
    CHECK_SUCCESS(MPI_File_open(MPI_COMM_WORLD, file_name, MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
    CHECK_ERROR(MPI_File_write(file, &x, 1, MPI_CHAR, &status), MPI_ERR_READ_ONLY);
    CHECK_ERROR(MPI_File_write_at_all(file, 0, &x, 1, MPI_CHAR, &status), MPI_ERR_READ_ONLY);
    CHECK_ERROR(MPI_File_write_ordered(file, &x, 1, MPI_CHAR, &status), MPI_ERR_READ_ONLY);
    CHECK_ERROR(MPI_File_iwrite_shared(file, &x, 1, MPI_CHAR, &request), MPI_ERR_READ_ONLY);
    CHECK_ERROR(MPI_File_iwrite_all(file, &x, 1, MPI_CHAR, &request), MPI_ERR_READ_ONLY);
    CHECK_ERROR(MPI_File_write_all_begin(file, &x, 1, MPI_CHAR), MPI_ERR_READ_ONLY);
    CHECK_ERROR(MPI_File_set_size(file, 0), MPI_ERR_READ_ONLY);
    CHECK_ERROR(MPI_File_preallocate(file, 100), MPI_ERR_READ_ONLY);
    CHECK_EQUAL(position_of(file), 0);
    CHECK_SUCCESS(MPI_File_read_at(file, 2, &x, 1, MPI_CHAR, &status));
    CHECK_EQUAL(x, '2');
    CHECK_SUCCESS(MPI_File_sync(file));
    close_file(&file);

    CHECK_SUCCESS(MPI_File_open(MPI_COMM_WORLD, file_name,
                                MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file));
    CHECK_ERROR(MPI_File_read(file, &x, 1, MPI_CHAR, &status), MPI_ERR_ACCESS);
    CHECK_ERROR(MPI_File_read_shared(file, &x, 1, MPI_CHAR, &status), MPI_ERR_ACCESS);
    CHECK_ERROR(MPI_File_iread_at(file, 0, &x, 1, MPI_CHAR, &request), MPI_ERR_ACCESS);
    CHECK_ERROR(MPI_File_read_all(file, &x, 1, MPI_CHAR, &status), MPI_ERR_ACCESS);
    CHECK_SUCCESS(MPI_File_write_at_all(file, rank, &x, 1, MPI_CHAR, &status));
    close_file(&file);
    return finish();
}
