// A rank waits for a message to itself that it has never sent, while the others sleep.
// ranks: 3
// exit: 86
// expect: DEADLOCK: rank 1 waits for itself and can never go on
// expect: rank 1: MPI_Recv from rank 1, tag 7, MPI_COMM_WORLD
// timeout: 30
#include <mpi.h>

#include <unistd.h>

int main(int argc, char **argv) {
    int rank, value;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        MPI_Recv(&value, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sleep(25);
    MPI_Abort(MPI_COMM_WORLD, 3);
}
