// MPI 5.0 section 6.12.1: "The call returns immediately, independent of whether other MPI processes
// have called MPI_IBARRIER."
// ranks: 2 7
#include "world.h"

// The last rank calls it only after it has got a message that each of the others sends after its
// call.
int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Request request;
    int token = 5, done;
    if (rank == size - 1)
        for (int i = 0; i < size - 1; ++i)
            CHECK_SUCCESS(MPI_Recv(&token, 1, MPI_INT, i, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK_SUCCESS(MPI_Ibarrier(MPI_COMM_WORLD, &request));
    if (rank < size - 1) {
        CHECK_SUCCESS(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
        CHECK(!done); // the last rank cannot have come
        CHECK_SUCCESS(MPI_Send(&token, 1, MPI_INT, size - 1, 0, MPI_COMM_WORLD));
    }
    CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
    return finish();
}
