// The buffer has room for one integer, two are packed.
// ranks: 1
// exit: 15
// expect: rank 0: MPI_Pack: MPI_ERR_TRUNCATE: outsize is 4; 8 bytes at position 0 do.*wrong\.c:11
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    char buffer[4];
    int values[2] = {1, 2}, position = 0;
    MPI_Pack(values, 2, MPI_INT, buffer, sizeof buffer, &position, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
