// The base of a window does not point to memory.
// ranks: 2
// options: --check
// exit: nonzero
// expect: MPI_Win_create: MPI_ERR_BASE: base is 0x[0-9a-f]+: the 8192 bytes there are not all memory
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Win win;
    static int memory[2048];
    MPI_Init(&argc, &argv);
    MPI_Win_create((char *)memory - 0x10000000000, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD,
                   &win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
