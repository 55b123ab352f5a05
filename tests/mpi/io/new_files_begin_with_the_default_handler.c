// MPI 5.0 section 14.7: "when a new file handle is created (by MPI_FILE_OPEN), the error handler
// for the new file handle is initially set to the default file error handler" ... "When MPI calls a
// user-defined error handler resulting from an error on a particular file handle, the first two
// arguments passed to the file error handler are the file handle and the error code."
// ranks: 2
#include "files.h"

static int calls, last_code;
static MPI_File last_file;

static void handler(MPI_File *file, int *code, ...) {
    ++calls;
    last_code = *code;
    last_file = *file;
}

int main(void) {
    start_with_file();
    MPI_Errhandler ours, found;
    CHECK_SUCCESS(MPI_File_create_errhandler(handler, &ours));
    CHECK_SUCCESS(MPI_File_set_errhandler(MPI_FILE_NULL, ours));
    MPI_File file = open_new();
    CHECK_SUCCESS(MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN));
    CHECK_SUCCESS(MPI_File_get_errhandler(file, &found));
    CHECK(found == ours);
    CHECK_SUCCESS(MPI_Errhandler_free(&found));
    CHECK_SUCCESS(MPI_Errhandler_free(&ours));

    CHECK_ERROR(MPI_File_seek(file, -1, MPI_SEEK_SET), MPI_ERR_ARG);
    CHECK_EQUAL(calls, 1);
    CHECK_EQUAL(last_code, MPI_ERR_ARG);
    CHECK(last_file == file);
    CHECK_SUCCESS(MPI_File_call_errhandler(file, MPI_ERR_OTHER));
    CHECK_EQUAL(calls, 2);
    CHECK_SUCCESS(MPI_File_set_errhandler(file, MPI_ERRORS_RETURN));
    CHECK_ERROR(MPI_File_seek(file, -1, MPI_SEEK_SET), MPI_ERR_ARG);
    CHECK_EQUAL(calls, 2);
    // An error handler of communicators is none of files.
    CHECK_ERROR(MPI_File_set_errhandler(file, MPI_ERRHANDLER_NULL), MPI_ERR_ERRHANDLER);
    close_file(&file);
    return finish();
}
