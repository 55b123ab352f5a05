// The operation was never created.
// ranks: 2
// exit: 10
// expect: rank [0-9,-]+: MPI_Allreduce: MPI_ERR_OP: op is MPI_OP_NULL \(at .*wrong\.c:13 in main\)
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank, sum;
    MPI_Op op = MPI_OP_NULL;
    MPI_Allreduce(&value, &sum, 1, MPI_INT, op, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
