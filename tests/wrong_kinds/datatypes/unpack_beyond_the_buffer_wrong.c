// More is unpacked than was packed.
// ranks: 1
// exit: 15
// expect: rank 0: MPI_Unpack: MPI_ERR_TRUNCATE: insize is 8; 12 bytes at position 0.*wrong\.c:13
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    char buffer[8];
    int values[3] = {1, 2, 3}, position = 0;
    MPI_Pack(values, 2, MPI_INT, buffer, sizeof buffer, &position, MPI_COMM_WORLD);
    position = 0;
    MPI_Unpack(buffer, sizeof buffer, &position, values, 3, MPI_INT, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
