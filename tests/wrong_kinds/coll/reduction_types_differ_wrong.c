// One rank reduces integers, the other one floats.
// ranks: 2
// expect: warning: rank [01]: MPI_Allreduce: rank [01] has 1 MPI_(INT|FLOAT), but rank [01].*wrong\.c:11.*wrong\.c:11
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int values[1] = {rank}, sums[1];
    MPI_Allreduce(values, sums, 1, rank == 0 ? MPI_INT : MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
