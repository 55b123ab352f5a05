// One rank computes the maximum, the others the sum.
// ranks: 3
// exit: 10
// expect: rank [0-9,-]+: MPI_Allreduce: MPI_ERR_OP: ranks disagree on op: rank.*wrong\.c:12
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank, result;
    MPI_Allreduce(&value, &result, 1, MPI_INT, rank == 1 ? MPI_MAX : MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
