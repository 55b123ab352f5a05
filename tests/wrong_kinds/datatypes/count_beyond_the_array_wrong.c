// A rank receives into an array that is shorter than count.
// ranks: 2
// flags: --check
// options: --check
// expect: warning: rank 1: MPI_Recv: buf has 32 bytes, but 16 elements of MPI_INT reach to byte 64 \(
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, values[8] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Send(values, 8, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(values, 16, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
