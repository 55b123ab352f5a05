// The file does not exist. Errors of files return, so the program asks for their end.
// ranks: 2
// exit: 42
// expect: rank [0-9]+: MPI_File_open: MPI_ERR_NO_SUCH_FILE: cannot open file.*wrong\.c:11
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_File file;
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL);
    MPI_File_open(MPI_COMM_WORLD, "/nonexistent/data", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
