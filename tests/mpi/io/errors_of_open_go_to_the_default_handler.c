// MPI 5.0 section 14.7: "For I/O errors that are not associated with a valid file handle (e.g., in
// MPI_FILE_OPEN or MPI_FILE_DELETE), the first argument passed to the error handler is
// MPI_FILE_NULL." ... "The default file error handler can be changed by specifying MPI_FILE_NULL as
// the fh argument to MPI_FILE_SET_ERRHANDLER."
// ranks: 3
#include "files.h"

static int calls, last_code;
static MPI_File last_file = (MPI_File)1;

static void handler(MPI_File *file, int *code, ...) {
    ++calls;
    last_code = *code;
    last_file = *file;
}

int main(void) {
    start_with_file();
    MPI_Errhandler ours, found;
    MPI_File file;
    CHECK_SUCCESS(MPI_File_get_errhandler(MPI_FILE_NULL, &found));
    CHECK(found == MPI_ERRORS_RETURN);
    CHECK_SUCCESS(MPI_File_create_errhandler(handler, &ours));
    if (rank == 1) { // each rank has its own
        CHECK_SUCCESS(MPI_File_set_errhandler(MPI_FILE_NULL, ours));
        CHECK_SUCCESS(MPI_File_get_errhandler(MPI_FILE_NULL, &found));
        CHECK(found == ours);
        CHECK_SUCCESS(MPI_Errhandler_free(&found));
    }
    barrier();
    CHECK_ERROR(MPI_File_open(MPI_COMM_WORLD, file_name, MPI_MODE_RDONLY, MPI_INFO_NULL, &file),
                MPI_ERR_NO_SUCH_FILE);
    CHECK_EQUAL(calls, rank == 1);
    if (rank == 1) {
        CHECK(last_file == MPI_FILE_NULL);
        CHECK_EQUAL(last_code, MPI_ERR_NO_SUCH_FILE);
        CHECK_ERROR(MPI_File_delete(file_name, MPI_INFO_NULL), MPI_ERR_NO_SUCH_FILE);
        CHECK_EQUAL(calls, 2);
        MPI_Offset position;
        CHECK_ERROR(MPI_File_get_position(MPI_FILE_NULL, &position), MPI_ERR_FILE);
        CHECK_EQUAL(calls, 3);
        CHECK_EQUAL(last_code, MPI_ERR_FILE);
        CHECK_SUCCESS(MPI_File_call_errhandler(MPI_FILE_NULL, 77));
        CHECK_EQUAL(last_code, 77);
        CHECK_SUCCESS(MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN));
    }
    CHECK_SUCCESS(MPI_Errhandler_free(&ours));
    return finish();
}
