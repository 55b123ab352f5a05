// MPI 5.0 section 14.2.3: "If the file does not exist, MPI_FILE_DELETE raises an error of class
// MPI_ERR_NO_SUCH_FILE." ... "Errors are raised using the default file error handler"
// ranks: 2
#include "files.h"

int main(void) {
    start_with_file();
    CHECK_ERROR(MPI_File_delete(file_name, MPI_INFO_NULL), MPI_ERR_NO_SUCH_FILE);
    barrier();
    write_outside_once("x", 1);
    if (rank == 1)
        CHECK_SUCCESS(MPI_File_delete(file_name, MPI_INFO_NULL));
    barrier();
    CHECK(!exists_outside());
    char inside[600];
    snprintf(inside, sizeof inside, "%s/nowhere/x", file_name);
    CHECK_ERROR(MPI_File_delete(inside, MPI_INFO_NULL), MPI_ERR_NO_SUCH_FILE);
    return finish();
}
