// The root gathers the values of all ranks into a variable for one.
// ranks: 3
// flags: --check
// options: --check
// expect: warning: rank 0: MPI_Gather: recvbuf has 4 bytes, but 3 elements of MPI_INT reach to byte 12 \(
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, all[3] = {0}, one = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Gather(&rank, 1, MPI_INT, &one, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return all[0] * one;
}
