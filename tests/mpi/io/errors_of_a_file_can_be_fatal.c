// MPI 5.0 section 14.7: "Like communicators, each file handle has an error handler associated with
// it." The report names the call, the argument and its value.
// ranks: 2
// exit: 13
// expect: MPI_File_seek: MPI_ERR_ARG: offset is -7: position -7 of the view is negative
#include "files.h"

int main(void) {
    start_with_file();
    MPI_File file = open_new();
    CHECK_SUCCESS(MPI_File_set_errhandler(file, MPI_ERRORS_ARE_FATAL));
    barrier();
    unlink(file_name);
    barrier();
    if (rank == 1)
        MPI_File_seek(file, -7, MPI_SEEK_SET);
    barrier();
    return 0;
}
