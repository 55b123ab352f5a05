// MPI 5.0 section 6.1: "The collective operations ... may use the same communicators as
// point-to-point communication; MPI guarantees that point-to-point messages generated on behalf of
// collective communication calls will not be confused with point-to-point messages."
// ranks: 2 5 16
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    for (int round = 0; round < 50; ++round) {
        int received = -1, sent = 1000 * rank + round, sum = 0, one = 1;
        MPI_Request requests[2];
        // A receive that takes anything is open while collectives run.
        MPI_Irecv(&received, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[0]);
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
        int root = round % size, value = rank == root ? round : -1;
        MPI_Bcast(&value, 1, MPI_INT, root, MPI_COMM_WORLD);
        CHECK_EQUAL(received, -1);
        CHECK_EQUAL(sum, size);
        CHECK_EQUAL(value, round);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Isend(&sent, 1, MPI_INT, right, round, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        CHECK_EQUAL(received, 1000 * left + round);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    return finish();
}
