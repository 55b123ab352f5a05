// MPI_Pack_size tells the size.
// ranks: 1
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    char buffer[100];
    int values[2] = {1, 2}, position = 0;
    MPI_Pack(values, 2, MPI_INT, buffer, sizeof buffer, &position, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
