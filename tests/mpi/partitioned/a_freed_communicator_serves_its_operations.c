// MPI 5.0 section 7.4.3: "Any operations that use the communicator comm (whether active or inactive
// at the time of this procedure call) will continue to work; the object is actually deallocated
// only if there are no other active references to it."
// ranks: 2 4
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int right = (rank + 1) % size, left = (rank + size - 1) % size, out, in;
    for (int round = 0; round < 10; ++round) {
        MPI_Comm comm;
        MPI_Request requests[3];
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        MPI_Psend_init(&out, 1, 1, MPI_INT, right, 0, comm, MPI_INFO_NULL, &requests[0]);
        MPI_Precv_init(&in, 1, 1, MPI_INT, left, 0, comm, MPI_INFO_NULL, &requests[1]);
        // One that nobody ever matches.
        MPI_Psend_init(&out, 1, 1, MPI_INT, right, 5, comm, MPI_INFO_NULL, &requests[2]);
        MPI_Comm_free(&comm);
        MPI_Request_free(&requests[2]);
        out = 10 * rank + round;
        MPI_Startall(2, requests);
        MPI_Pready(0, requests[0]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        CHECK_EQUAL(in, 10 * left + round);
        MPI_Request_free(&requests[0]);
        MPI_Request_free(&requests[1]);
    }
    return finish();
}
