// Rank 2 reduces more elements than the others.
// ranks: 3
// exit: 2
// expect: rank [0-9,-]+: MPI_Allreduce: MPI_ERR_COUNT: ranks disagree on the size of.*wrong\.c:12
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int values[3] = {rank, rank, rank}, sums[3];
    MPI_Allreduce(values, sums, rank == 2 ? 3 : 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
