// A file is opened for reading only and for writing only.
// ranks: 2
// exit: 21
// expect: rank [0-9]+: MPI_File_open: MPI_ERR_AMODE: amode is 272; it must contain.*wrong\.c:12
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_File file;
    int mode = MPI_MODE_RDONLY | MPI_MODE_WRONLY;
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL);
    MPI_File_open(MPI_COMM_WORLD, "/dev/null", mode, MPI_INFO_NULL, &file);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
