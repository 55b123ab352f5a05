// The data representation does not exist.
// ranks: 1
// exit: 54
// expect: rank 0: MPI_File_set_view: MPI_ERR_UNSUPPORTED_DATAREP: datarep is.*wrong\.c:12
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_File file;
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL);
    MPI_File_open(MPI_COMM_WORLD, "/dev/null", MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "binary", MPI_INFO_NULL);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
