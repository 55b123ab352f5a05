// A split collective begins while another one is active.
// ranks: 1
// exit: 35
// expect: rank 0: MPI_File_write_all_begin: MPI_ERR_IO: MPI_File_write_all_begin was.*wrong\.c:14
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int value = 7;
    MPI_File file;
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL);
    MPI_File_open(MPI_COMM_WORLD, "/dev/null", MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_write_all_begin(file, &value, 1, MPI_INT);
    MPI_File_write_all_begin(file, &value, 1, MPI_INT);
    MPI_File_write_all_end(file, &value, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
