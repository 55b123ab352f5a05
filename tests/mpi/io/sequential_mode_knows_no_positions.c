// MPI 5.0 section 14.2.1: "It is erroneous to attempt nonsequential access to a file that has been
// opened in this mode." Section 14.8: "MPI_ERR_UNSUPPORTED_OPERATION Unsupported operation, such as
// seeking on a file that supports sequential access only".
// ranks: 1 2
#include "files.h"

int main(void) {
    start_with_file();
    MPI_File file;
    CHECK_SUCCESS(MPI_File_open(MPI_COMM_WORLD, file_name,
                                MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_SEQUENTIAL |
                                    MPI_MODE_DELETE_ON_CLOSE,
                                MPI_INFO_NULL, &file));
    char x = 'x';
    MPI_Status status;
    MPI_Request request;
    MPI_Offset offset;
    int unsupported = MPI_ERR_UNSUPPORTED_OPERATION;
    CHECK_ERROR(MPI_File_write(file, &x, 1, MPI_CHAR, &status), unsupported);
    CHECK_ERROR(MPI_File_write_at(file, 0, &x, 1, MPI_CHAR, &status), unsupported);
    CHECK_ERROR(MPI_File_write_all(file, &x, 1, MPI_CHAR, &status), unsupported);
    CHECK_ERROR(MPI_File_write_at_all(file, 0, &x, 1, MPI_CHAR, &status), unsupported);
    CHECK_ERROR(MPI_File_iwrite(file, &x, 1, MPI_CHAR, &request), unsupported);
    CHECK_ERROR(MPI_File_iwrite_at(file, 0, &x, 1, MPI_CHAR, &request), unsupported);
    CHECK_ERROR(MPI_File_seek(file, 0, MPI_SEEK_SET), unsupported);
    CHECK_ERROR(MPI_File_get_position(file, &offset), unsupported);
    CHECK_ERROR(MPI_File_seek_shared(file, 0, MPI_SEEK_SET), unsupported);
    CHECK_ERROR(MPI_File_get_position_shared(file, &offset), unsupported);
    CHECK_ERROR(MPI_File_set_size(file, 10), unsupported);
    CHECK_ERROR(MPI_File_preallocate(file, 10), unsupported);
    CHECK_ERROR(MPI_File_set_view(file, 0, MPI_CHAR, MPI_CHAR, "native", MPI_INFO_NULL),
                unsupported);
    MPI_Datatype holes;
    CHECK_SUCCESS(MPI_Type_create_resized(MPI_CHAR, 0, 2, &holes));
    CHECK_SUCCESS(MPI_Type_commit(&holes));
    CHECK_ERROR(
        MPI_File_set_view(file, MPI_DISPLACEMENT_CURRENT, MPI_CHAR, holes, "native", MPI_INFO_NULL),
        MPI_ERR_TYPE);
    CHECK_SUCCESS(MPI_Type_free(&holes));
    // With the exception of MPI_FILE_GET_BYTE_OFFSET
    CHECK_SUCCESS(MPI_File_get_byte_offset(file, 5, &offset));
    CHECK_EQUAL(offset, 5);
    x = (char)('a' + rank);
    CHECK_SUCCESS(MPI_File_write_ordered(file, &x, 1, MPI_CHAR, &status));
    CHECK_SUCCESS(MPI_File_write_ordered_begin(file, &x, 1, MPI_CHAR));
    CHECK_SUCCESS(MPI_File_write_ordered_end(file, &x, &status));
    CHECK_SUCCESS(MPI_File_set_view(file, MPI_DISPLACEMENT_CURRENT, MPI_CHAR, MPI_CHAR, "native",
                                    MPI_INFO_NULL));
    MPI_Datatype etype, filetype;
    char datarep[MPI_MAX_DATAREP_STRING];
    CHECK_SUCCESS(MPI_File_get_view(file, &offset, &etype, &filetype, datarep));
    CHECK_EQUAL(offset, 2 * size);
    char all[20] = "";
    barrier();
    CHECK_EQUAL(read_outside(0, all, sizeof all), 2 * size);
    for (int i = 0; i < 2 * size; ++i)
        CHECK_EQUAL(all[i], 'a' + i % size);
    close_file(&file);

    // A pipe needs the mode.
    if (rank == 0)
        CHECK_EQUAL(mkfifo(file_name, 0600), 0);
    barrier();
    CHECK_ERROR(MPI_File_open(MPI_COMM_WORLD, file_name, MPI_MODE_RDWR, MPI_INFO_NULL, &file),
                MPI_ERR_AMODE);
    barrier();
    if (rank == 0)
        unlink(file_name);
    return finish();
}
