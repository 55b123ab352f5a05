// MPI 5.0 section 7.4.3: "This collective operation marks the communication object for
// deallocation. Any operations that use the communicator comm (whether active or inactive at the
// time of this procedure call) will continue to work; the object is actually deallocated only if
// there are no other active references to it."
// ranks: 2 5
#include "world.h"

enum { large = 100000 };

int main(int argc, char **argv) {
    static int small_in, small_out, large_in[large], large_out[large];
    start(&argc, &argv);
    MPI_Comm dup;
    MPI_Request requests[4];
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    for (int i = 0; i < large; ++i)
        large_out[i] = rank + i;
    small_out = rank;
    MPI_Irecv(&small_in, 1, MPI_INT, left, 1, dup, &requests[0]);
    MPI_Irecv(large_in, large, MPI_INT, left, 2, dup, &requests[1]);
    if (rank % 2 == 0)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Isend(&small_out, 1, MPI_INT, right, 1, dup, &requests[2]);
    MPI_Isend(large_out, large, MPI_INT, right, 2, dup, &requests[3]);
    MPI_Comm_free(&dup);
    CHECK(dup == MPI_COMM_NULL);
    if (rank % 2 == 1)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm other; // must not take over the context of the communicator that is still in use
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    int value = -1, flag;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, other, &flag, MPI_STATUS_IGNORE);
    CHECK(!flag);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    CHECK_EQUAL(small_in, left);
    for (int i = 0; i < large; ++i)
        CHECK_EQUAL(large_in[i], left + i);
    MPI_Allreduce(&rank, &value, 1, MPI_INT, MPI_MAX, other);
    CHECK_EQUAL(value, size - 1);
    MPI_Comm_free(&other);
    return finish();
}
