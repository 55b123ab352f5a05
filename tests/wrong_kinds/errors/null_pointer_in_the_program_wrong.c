// Rank 1 dereferences a null pointer.
// ranks: 3
// exit: 139
// expect: rank 1: segmentation fault at address 0x[0-9a-f]+ in main \(.*wrong\.c:13\)
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    static int value = 7;
    int *volatile where = rank == 1 ? NULL : &value;
    *where = rank;
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
