// Rank 1 sums real numbers where the others sum integers.
// ranks: 3
// expect: warning: rank [012]: MPI_(Iscan|Wait): rank [01] has 1 MPI_(INT|FLOAT),
// expect: but rank [012] expects MPI_(FLOAT|INT) \(.*received at .*wrong\.c:12 in main\)
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, mine = 1, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request request;
    MPI_Iscan(&mine, &sum, 1, rank == 1 ? MPI_FLOAT : MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
