// Messages of all forms are received, whatever holds their sends.
// ranks: 2
// options: --check
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int count = 0; count < 4000; count = 3 * count + 1) {
        int values[4000];
        MPI_Request request;
        MPI_Send_init(values, count, MPI_INT, 1 - rank, 5, MPI_COMM_WORLD, &request);
        for (int i = 0; i < count; ++i)
            values[i] = i;
        if (rank == 0) {
            MPI_Start(&request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            MPI_Send(values, count, MPI_INT, 1, 5, MPI_COMM_WORLD);
        } else {
            MPI_Status status;
            MPI_Probe(0, 5, MPI_COMM_WORLD, &status);
            MPI_Recv(values, count, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Recv(values, count, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        for (int i = 0; i < count; ++i)
            if (values[i] != i)
                MPI_Abort(MPI_COMM_WORLD, 1);
        MPI_Request_free(&request);
    }
    MPI_Finalize();
    return 0;
}
