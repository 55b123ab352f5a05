// MPI 5.0 section 7.4.2: "MPI_COMM_IDUP is a nonblocking variant of MPI_COMM_DUP. With the
// exception of its nonblocking behavior, the semantics of MPI_COMM_IDUP are as if MPI_COMM_DUP was
// executed at the time that MPI_COMM_IDUP is called."
// ranks: 2 5
#include "world.h"

// The last rank calls it only after a message that the others send after their call. Several are
// outstanding, between other collective operations.
int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Comm copies[3];
    MPI_Request requests[4];
    int token = 1, sum;
    if (rank == size - 1)
        for (int i = 0; i < size - 1; ++i)
            CHECK_SUCCESS(MPI_Recv(&token, 1, MPI_INT, i, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK_SUCCESS(MPI_Comm_idup(MPI_COMM_WORLD, &copies[0], &requests[0]));
    CHECK_SUCCESS(MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[3]));
    CHECK_SUCCESS(MPI_Comm_idup(MPI_COMM_WORLD, &copies[1], &requests[1]));
    CHECK_SUCCESS(MPI_Comm_idup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, &copies[2], &requests[2]));
    if (rank < size - 1)
        CHECK_SUCCESS(MPI_Send(&token, 1, MPI_INT, size - 1, 0, MPI_COMM_WORLD));
    CHECK_SUCCESS(MPI_Waitall(4, requests, MPI_STATUSES_IGNORE));
    CHECK_EQUAL(sum, size * (size - 1) / 2);
    for (int i = 0; i < 3; ++i) {
        int result, value = rank == 0 ? i : -1;
        CHECK_SUCCESS(MPI_Comm_compare(MPI_COMM_WORLD, copies[i], &result));
        CHECK_EQUAL(result, MPI_CONGRUENT);
        CHECK_SUCCESS(MPI_Ibcast(&value, 1, MPI_INT, 0, copies[i], &requests[0]));
        CHECK_SUCCESS(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
        CHECK_EQUAL(value, i);
        CHECK_SUCCESS(MPI_Comm_free(&copies[i]));
    }
    return finish();
}
