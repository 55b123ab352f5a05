// They lie side by side.
// ranks: 2
// options: --check
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int values[4] = {1, 2, 3, 4};
    int lengths[2] = {2, 2}, places[2] = {0, 2};
    MPI_Datatype type;
    MPI_Type_indexed(2, lengths, places, MPI_INT, &type);
    MPI_Type_commit(&type);
    if (rank == 0)
        MPI_Send(values, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(values, 1, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
