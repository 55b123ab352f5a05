// MPI 5.0 section 7.4.2: MPI_COMM_DUP "duplicates the existing communicator comm ... Returns in
// newcomm a new communicator with the same group or groups, same topology, same error handlers and
// any copied cached information, but a new context".
// ranks: 1 2 5
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Comm dup;
    int result, value = -1, right = (rank + 1) % size, left = (rank + size - 1) % size;
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    CHECK(dup != MPI_COMM_WORLD);
    MPI_Comm_compare(MPI_COMM_WORLD, dup, &result);
    CHECK_EQUAL(result, MPI_CONGRUENT);
    MPI_Comm_compare(dup, dup, &result);
    CHECK_EQUAL(result, MPI_IDENT);
    // The same source and tag in both; the later message's communicator is received from first.
    int in_world = rank, in_dup = rank + 100;
    MPI_Request requests[2];
    MPI_Isend(&in_world, 1, MPI_INT, right, 3, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&in_dup, 1, MPI_INT, right, 3, dup, &requests[1]);
    MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, dup, MPI_STATUS_IGNORE);
    CHECK_EQUAL(value, left + 100);
    MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK_EQUAL(value, left);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Comm_free(&dup);
    CHECK(dup == MPI_COMM_NULL);
    return finish();
}
