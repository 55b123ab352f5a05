// A loop stores all its requests in one variable: only the last one is waited for.
// ranks: 2
// expect: warning: 4 requests made by MPI_Isend at.*wrong\.c:13
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int values[3] = {1, 2, 3}, other = 1 - rank, got;
    MPI_Request request;
    for (int i = 0; i < 3; ++i)
        MPI_Isend(&values[i], 1, MPI_INT, other, i, MPI_COMM_WORLD, &request);
    for (int i = 0; i < 3; ++i)
        MPI_Recv(&got, 1, MPI_INT, other, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
