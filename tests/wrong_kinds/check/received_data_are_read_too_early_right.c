// It waits before.
// ranks: 2
// flags: --check
// env: THRUM_CHECK=1
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int data[4] = {rank, 1, 2, 3}, sum = 0;
    MPI_Request request;
    if (rank == 0) {
        MPI_Irecv(data, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        for (int i = 0; i < 4; ++i)
            sum += data[i];
    } else {
        MPI_Send(data, 4, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    if (sum > 100)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
