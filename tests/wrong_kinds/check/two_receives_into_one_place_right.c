// Two columns of a matrix are received: each lies in the gaps of the other.
// ranks: 2
// env: THRUM_CHECK=1
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int matrix[4][3] = {{0}};
    MPI_Request requests[2];
    MPI_Datatype column;
    MPI_Type_vector(4, 1, 3, MPI_INT, &column);
    MPI_Type_commit(&column);
    if (rank == 0) {
        MPI_Irecv(&matrix[0][0], 1, column, 1, 0, MPI_COMM_WORLD, requests);
        MPI_Irecv(&matrix[0][2], 1, column, 1, 1, MPI_COMM_WORLD, requests + 1);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    } else {
        MPI_Send(&matrix[0][0], 1, column, 0, 0, MPI_COMM_WORLD);
        MPI_Send(&matrix[0][2], 1, column, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Type_free(&column);
    MPI_Finalize();
    return 0;
}
