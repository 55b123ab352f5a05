// A message that is longer than the receive buffer.
// MPI 5.0 section 3.2.4: "The length of the received message must be less than or equal to the
// length of the receive buffer. An overflow error occurs if all incoming data does not fit".
// ranks: 2
// exit: nonzero
// expect: rank 1.*MPI_Recv.*truncation.c:18
// expect: MPI_ERR_TRUNCATE.*400.*40
// timeout: 30
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, data[100] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Send(data, 100, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(data, 10, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
