// The unit of displacements is 0.
// ranks: 1
// exit: 26
// expect: rank 0: MPI_Win_create: MPI_ERR_DISP: disp_unit is 0, but must be positive.*wrong\.c:11
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int memory[4];
    MPI_Win win;
    MPI_Win_create(memory, sizeof memory, 0, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
