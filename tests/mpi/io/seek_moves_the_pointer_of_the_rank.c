// MPI 5.0 section 14.4.3: "The offset can be negative, which allows seeking backwards. It is
// erroneous to seek to a negative position in the view." Section 14.1.1: "For any given view, the
// end of file is the offset of the first etype accessible in the current view starting after the
// last byte in the file."
// ranks: 1 3
#include "files.h"

int main(void) {
    start_with_file();
    MPI_File file = open_new();
    CHECK_SUCCESS(MPI_File_seek(file, 5, MPI_SEEK_SET));
    CHECK_SUCCESS(MPI_File_seek(file, 10, MPI_SEEK_CUR));
    CHECK_EQUAL(position_of(file), 15);
    CHECK_SUCCESS(MPI_File_seek(file, -15, MPI_SEEK_CUR));
    CHECK_EQUAL(position_of(file), 0);
    CHECK_ERROR(MPI_File_seek(file, -1, MPI_SEEK_CUR), MPI_ERR_ARG);
    CHECK_ERROR(MPI_File_seek(file, 0, 12345), MPI_ERR_ARG);
    CHECK_EQUAL(position_of(file), 0);
    CHECK_SUCCESS(MPI_File_seek(file, 0, MPI_SEEK_END));
    CHECK_EQUAL(position_of(file), 0);

    CHECK_SUCCESS(MPI_File_set_size(file, 41));
    CHECK_SUCCESS(MPI_File_seek(file, -1, MPI_SEEK_END));
    CHECK_EQUAL(position_of(file), 40);
    // Every other int from byte 8 on: ints at 8, 16, 24, 32, 40; the next begins at 48.
    MPI_Datatype filetype;
    CHECK_SUCCESS(MPI_Type_create_resized(MPI_INT, 0, 8, &filetype));
    CHECK_SUCCESS(MPI_Type_commit(&filetype));
    CHECK_SUCCESS(MPI_File_set_view(file, 8, MPI_INT, filetype, "native", MPI_INFO_NULL));
    CHECK_SUCCESS(MPI_File_seek(file, 0, MPI_SEEK_END));
    CHECK_EQUAL(position_of(file), 5);
    CHECK_SUCCESS(MPI_File_seek(file, 2, MPI_SEEK_END));
    CHECK_EQUAL(position_of(file), 7);
    barrier();
    CHECK_SUCCESS(MPI_File_set_size(file, 40)); // the int at 40 begins after the last byte
    CHECK_SUCCESS(MPI_File_seek(file, 0, MPI_SEEK_END));
    CHECK_EQUAL(position_of(file), 4);
    barrier();
    CHECK_SUCCESS(MPI_File_set_size(file, 3));
    CHECK_SUCCESS(MPI_File_seek(file, 0, MPI_SEEK_END));
    CHECK_EQUAL(position_of(file), 0);
    CHECK_SUCCESS(MPI_Type_free(&filetype));
    close_file(&file);
    return finish();
}
