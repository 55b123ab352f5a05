// The file is never closed.
// ranks: 2
// expect: warning: 2 files opened by MPI_File_open at.*wrong\.c:9
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, "/dev/null", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    MPI_Finalize();
    return 0;
}
