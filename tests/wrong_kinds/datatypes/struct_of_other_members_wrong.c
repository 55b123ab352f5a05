// The ranks describe the same struct differently: the members are in another order.
// ranks: 2
// expect: warning: rank 1: MPI_Recv: the message from rank 0 has 1.*wrong\.c:18.*wrong\.c:20
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int lengths[2] = {1, 1};
    MPI_Aint places[2] = {0, 8};
    MPI_Datatype types[2] = {rank == 0 ? MPI_INT : MPI_DOUBLE, rank == 0 ? MPI_DOUBLE : MPI_INT};
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
