// MPI 5.0 section 3.2.3: "Each communication context provides a separate 'communication universe':
// messages are always received within the context they were sent, and messages sent in different
// contexts do not interfere."
// ranks: 1 2 5
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Comm dup;
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    int flag, value = -1, right = (rank + 1) % size;
    MPI_Request request;
    MPI_Status status;
    MPI_Isend(&rank, 1, MPI_INT, right, 8, dup, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Probe(MPI_ANY_SOURCE, 8, dup, &status);
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    CHECK(!flag);
    MPI_Iprobe(0, MPI_ANY_TAG, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
    CHECK(!flag);
    MPI_Recv(&value, 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, dup, MPI_STATUS_IGNORE);
    CHECK_EQUAL(value, (rank + size - 1) % size);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&dup);
    return finish();
}
