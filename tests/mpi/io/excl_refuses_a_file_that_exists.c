// MPI 5.0 section 14.2.1, MPI_MODE_EXCL: "error if creating file that already exists";
// section 14.8: "MPI_ERR_FILE_EXISTS File exists", "MPI_ERR_NO_SUCH_FILE File does not exist".
// ranks: 1 4
#include "files.h"

int main(void) {
    start_with_file();
    MPI_File file;
    CHECK_ERROR(MPI_File_open(MPI_COMM_WORLD, file_name, MPI_MODE_RDWR, MPI_INFO_NULL, &file),
                MPI_ERR_NO_SUCH_FILE);
    int amode = MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_WRONLY;
    CHECK_SUCCESS(MPI_File_open(MPI_COMM_WORLD, file_name, amode, MPI_INFO_NULL, &file));
    close_file(&file);
    CHECK(exists_outside());
    CHECK_ERROR(MPI_File_open(MPI_COMM_WORLD, file_name, amode, MPI_INFO_NULL, &file),
                MPI_ERR_FILE_EXISTS);
    char text[MPI_MAX_ERROR_STRING];
    int length;
    CHECK_SUCCESS(MPI_Error_string(MPI_ERR_FILE_EXISTS, text, &length));
    CHECK(length > 0);
    CHECK_SUCCESS(MPI_File_open(MPI_COMM_WORLD, file_name,
                                MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                                MPI_INFO_NULL, &file));
    close_file(&file);
    return finish();
}
