// MPI 5.0 section 14.4.4: "MPI_FILE_SEEK_SHARED is collective; all the processes in the
// communicator group associated with the file handle fh must call MPI_FILE_SEEK_SHARED with the
// same values for offset and whence."
// ranks: 1 4
#include "files.h"

int main(void) {
    start_with_file();
    MPI_File file = open_new();
    CHECK_SUCCESS(MPI_File_set_size(file, 100));
    CHECK_SUCCESS(MPI_File_seek_shared(file, 40, MPI_SEEK_SET));
    CHECK_SUCCESS(MPI_File_seek_shared(file, -15, MPI_SEEK_CUR));
    CHECK_EQUAL(shared_position_of(file), 25);
    barrier();
    CHECK_SUCCESS(MPI_File_seek_shared(file, 1, MPI_SEEK_END));
    CHECK_EQUAL(shared_position_of(file), 101);
    barrier();
    CHECK_ERROR(MPI_File_seek_shared(file, -200, MPI_SEEK_CUR), MPI_ERR_ARG);
    CHECK_ERROR(MPI_File_seek_shared(file, 0, 77), MPI_ERR_ARG);
    if (size > 1)
        CHECK_ERROR(MPI_File_seek_shared(file, rank, MPI_SEEK_SET), MPI_ERR_NOT_SAME);
    CHECK_EQUAL(shared_position_of(file), 101);
    close_file(&file);
    return finish();
}
