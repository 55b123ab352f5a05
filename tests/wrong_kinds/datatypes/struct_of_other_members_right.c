// Both describe it alike.
// ranks: 2
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int lengths[2] = {1, 1};
    MPI_Aint places[2] = {0, 8};
    MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE};
    MPI_Datatype record;
    double data[2] = {0};
    MPI_Type_create_struct(2, lengths, places, types, &record);
    MPI_Type_commit(&record);
    if (rank == 0)
        MPI_Send(data, 1, record, 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(data, 1, record, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&record);
    MPI_Finalize();
    return 0;
}
