// The send buffer is changed when the request is complete; what the type leaves out, before.
// ranks: 2
// env: THRUM_CHECK=1
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    static int data[10];
    MPI_Request request;
    MPI_Datatype even;
    MPI_Type_vector(5, 1, 2, MPI_INT, &even);
    MPI_Type_commit(&even);
    if (rank == 0) {
        MPI_Isend(data, 1, even, 1, 0, MPI_COMM_WORLD, &request);
        data[3] = 1;
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        data[4] = 1;
    } else {
        MPI_Recv(data, 1, even, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Type_free(&even);
    MPI_Finalize();
    return 0;
}
