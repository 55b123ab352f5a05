// MPI 5.0 section 6.12: "All MPI processes must call collective operations (blocking and
// nonblocking) in the same order per communicator."
// ranks: 2 5
// exit: nonzero
// expect: MPI_Wait: MPI_ERR_OTHER: ranks disagree on the operation: rank 0 calls MPI_Ibarrier, rank 1 calls
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Request request;
    int value = 0;
    if (rank == 1) {
        CHECK_SUCCESS(MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK_SUCCESS(MPI_Ibcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD, &request));
    } else if (rank == 0) {
        CHECK_SUCCESS(MPI_Ibarrier(MPI_COMM_WORLD, &request));
        for (int i = 1; i < size; ++i)
            CHECK_SUCCESS(MPI_Send(&value, 1, MPI_INT, i, 0, MPI_COMM_WORLD));
    } else {
        CHECK_SUCCESS(MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK_SUCCESS(MPI_Ibarrier(MPI_COMM_WORLD, &request));
    }
    CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
    return finish();
}
