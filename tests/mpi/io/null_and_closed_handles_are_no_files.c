// MPI 5.0 section 14.8: "MPI_ERR_FILE Invalid file handle". Section 14.2.2: "The MPI_FILE_CLOSE
// routine deallocates the file handle object and sets fh to MPI_FILE_NULL."
// ranks: 2
#include "files.h"

int main(void) {
    start_with_file();
    MPI_File file = open_new(), copy = file, null = MPI_FILE_NULL;
    close_file(&file);
    MPI_File wrong[3] = {MPI_FILE_NULL, copy, (MPI_File)77};
    for (int i = 0; i < 3; ++i) {
        MPI_File bad = wrong[i];
        int number = 0;
        MPI_Offset offset;
        MPI_Request request;
        CHECK_ERROR(MPI_File_close(&bad), MPI_ERR_FILE);
        CHECK_ERROR(MPI_File_read(bad, &number, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_FILE);
        CHECK_ERROR(MPI_File_write_all(bad, &number, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_FILE);
        CHECK_ERROR(MPI_File_iwrite_at(bad, 0, &number, 1, MPI_INT, &request), MPI_ERR_FILE);
        CHECK_ERROR(MPI_File_seek(bad, 0, MPI_SEEK_SET), MPI_ERR_FILE);
        CHECK_ERROR(MPI_File_get_size(bad, &offset), MPI_ERR_FILE);
        CHECK_ERROR(MPI_File_sync(bad), MPI_ERR_FILE);
        CHECK_ERROR(MPI_File_set_atomicity(bad, 1), MPI_ERR_FILE);
        CHECK_ERROR(MPI_File_set_view(bad, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL),
                    MPI_ERR_FILE);
    }
    CHECK_ERROR(MPI_File_set_errhandler(copy, MPI_ERRORS_RETURN), MPI_ERR_FILE);
    CHECK_SUCCESS(MPI_File_set_errhandler(null, MPI_ERRORS_RETURN));
    CHECK(MPI_File_f2c(MPI_File_c2f(MPI_FILE_NULL)) == MPI_FILE_NULL);
    barrier(); // the other rank's new file may be where the closed one was
    file = open_new();
    CHECK(MPI_File_f2c(MPI_File_c2f(file)) == file);
    close_file(&file);
    return finish();
}
