// MPI 5.0 section 14.2.1: "The MPI_MODE_DELETE_ON_CLOSE mode causes the file to be deleted
// (equivalent to performing an MPI_FILE_DELETE) when the file is closed."
// ranks: 1 4
#include "files.h"

int main(void) {
    start_with_file();
    MPI_File file = open_new();
    barrier();
    CHECK(exists_outside());
    close_file(&file);
    CHECK(!exists_outside());

    // Somebody else was quicker: the file is closed all the same.
    file = open_new();
    if (rank == 0)
        CHECK_SUCCESS(MPI_File_delete(file_name, MPI_INFO_NULL));
    barrier();
    CHECK_ERROR(MPI_File_close(&file), MPI_ERR_NO_SUCH_FILE);
    CHECK(file == MPI_FILE_NULL);

    // The name belongs to another file now: that is not deleted.
    file = open_new();
    if (rank == 0) {
        unlink(file_name);
        write_outside("mine", 4);
    }
    barrier();
    CHECK_ERROR(MPI_File_close(&file), MPI_ERR_NO_SUCH_FILE);
    CHECK(exists_outside());
    barrier();
    if (rank == 0)
        unlink(file_name);
    return finish();
}
