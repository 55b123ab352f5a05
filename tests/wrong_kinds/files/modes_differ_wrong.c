// The ranks open a file in different modes.
// ranks: 2
// exit: 40
// expect: rank [0-9,-]+: MPI_File_open: MPI_ERR_NOT_SAME: ranks disagree on amode:.*wrong\.c:14
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File file;
    int mode = rank == 0 ? MPI_MODE_RDWR : MPI_MODE_RDONLY;
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL);
    MPI_File_open(MPI_COMM_WORLD, "/dev/null", mode, MPI_INFO_NULL, &file);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
