// The root broadcasts less than the others expect.
// ranks: 2
// expect: warning: rank 1: MPI_Bcast: rank 0 sends 4 MPI_INT \(16.*wrong\.c:11.*wrong\.c:11
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int values[8] = {rank};
    MPI_Bcast(values, rank == 0 ? 4 : 8, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
