// MPI 5.0 section 3.2.4: "The receive buffer consists of the storage containing count consecutive
// elements ... The length of the received message must be less than or equal to the length of the
// receive buffer"; the envelope tells source and tag.
// ranks: 1 2 3 64
#include "check.h"

int main(int argc, char **argv) {
    int rank = 0, size = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    for (int round = 0; round < 10; ++round) {
        int token[2] = {rank, round}, got[2] = {-1, -1};
        MPI_Request request;
        MPI_Status status;
        MPI_Irecv(got, 2, MPI_INT, left, round, MPI_COMM_WORLD, &request);
        MPI_Send(token, 2, MPI_INT, right, round, MPI_COMM_WORLD);
        MPI_Wait(&request, &status);
        CHECK_EQUAL(got[0], left);
        CHECK_EQUAL(got[1], round);
        CHECK_EQUAL(status.MPI_SOURCE, left);
        CHECK_EQUAL(status.MPI_TAG, round);
    }
    MPI_Finalize();
    return 0;
}
