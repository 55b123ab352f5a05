// MPI 5.0 section 6.12.1: "In the inter-communicator case, it will complete when all MPI processes
// in the remote group have called MPI_IBARRIER."
// ranks: 3 8
#include "world.h"

// The last rank of the second group calls last, after a message that says that the others of its
// group have completed: these do not wait for it, the first group does.
int main(int argc, char **argv) {
    start(&argc, &argv);
    TwoGroups groups = split_in_two_groups();
    MPI_Request request;
    int token = 1, done, last = size - 1;
    if (rank == last) {
        for (int i = size / 2; i < last; ++i)
            CHECK_SUCCESS(MPI_Recv(&token, 1, MPI_INT, i, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        for (int i = 0; i < size / 2; ++i)
            CHECK_SUCCESS(MPI_Recv(&token, 1, MPI_INT, i, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    }
    CHECK_SUCCESS(MPI_Ibarrier(groups.inter, &request));
    if (groups.first) {
        CHECK_SUCCESS(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
        CHECK(!done);
        CHECK_SUCCESS(MPI_Send(&token, 1, MPI_INT, last, 0, MPI_COMM_WORLD));
    }
    CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
    if (!groups.first && rank != last)
        CHECK_SUCCESS(MPI_Send(&token, 1, MPI_INT, last, 0, MPI_COMM_WORLD));
    free_two_groups(&groups);
    return finish();
}
