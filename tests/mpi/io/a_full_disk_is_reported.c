// MPI 5.0 section 14.8: "MPI_ERR_NO_SPACE Not enough space".
// ranks: 1 4
// exit: 41
// expect: cannot write byte [0-9]+ of file "/dev/full": No space left on device
#include "files.h"

int main(void) {
    start(NULL, NULL);
    MPI_File file;
    MPI_Request request;
    MPI_Status status;
    static char data[10000];
    CHECK_SUCCESS(
        MPI_File_open(MPI_COMM_WORLD, "/dev/full", MPI_MODE_WRONLY, MPI_INFO_NULL, &file));
    CHECK_ERROR(MPI_File_write(file, data, sizeof data, MPI_CHAR, &status), MPI_ERR_NO_SPACE);
    CHECK_ERROR(MPI_File_write_shared(file, data, 1, MPI_CHAR, &status), MPI_ERR_NO_SPACE);
    CHECK_ERROR(MPI_File_write_all(file, data, sizeof data, MPI_CHAR, &status), MPI_ERR_NO_SPACE);
    view_in_turn(file, MPI_CHAR, 10);
    CHECK_ERROR(MPI_File_write_at_all(file, 0, data, sizeof data, MPI_CHAR, &status),
                MPI_ERR_NO_SPACE);
    CHECK_ERROR(MPI_File_write_ordered(file, data, 10, MPI_CHAR, &status), MPI_ERR_NO_SPACE);
    CHECK_SUCCESS(MPI_File_iwrite_at(file, 0, data, sizeof data, MPI_CHAR, &request));
    CHECK_ERROR(MPI_Wait(&request, &status), MPI_ERR_NO_SPACE);
    CHECK_SUCCESS(MPI_File_iwrite_at_all(file, 0, data, sizeof data, MPI_CHAR, &request));
    CHECK_ERROR(MPI_Wait(&request, &status), MPI_ERR_NO_SPACE);
    CHECK_SUCCESS(MPI_File_write_all_begin(file, data, 10, MPI_CHAR));
    CHECK_ERROR(MPI_File_write_all_end(file, data, &status), MPI_ERR_NO_SPACE);
    MPI_File_close(&file);
    // The sentence, as a fatal error tells it.
    barrier();
    if (rank == 0) {
        CHECK_SUCCESS(
            MPI_File_open(MPI_COMM_SELF, "/dev/full", MPI_MODE_WRONLY, MPI_INFO_NULL, &file));
        CHECK_SUCCESS(MPI_File_set_errhandler(file, MPI_ERRORS_ARE_FATAL));
        MPI_File_write_at(file, 77, data, 1, MPI_CHAR, &status);
    }
    barrier();
    return finish();
}
