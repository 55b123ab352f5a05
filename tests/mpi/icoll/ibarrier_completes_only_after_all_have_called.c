// MPI 5.0 section 6.12.1: "The usual barrier semantics are enforced at the corresponding completion
// operation (test or wait), which in the intra-communicator case will complete only after all other
// MPI processes in the communicator have called MPI_IBARRIER."
// ranks: 2 5 33
#include "world.h"

// Before each barrier every rank sends rank 0 a message: after it a probe must find all of them.
int main(int argc, char **argv) {
    start(&argc, &argv);
    for (int round = 0; round < 20; ++round) {
        MPI_Request request;
        if ((rank + round) % 5 == 2)
            for (volatile int i = 0; i < 20000; ++i)
                ;
        if (rank > 0)
            CHECK_SUCCESS(MPI_Send(&round, 1, MPI_INT, 0, round, MPI_COMM_WORLD));
        CHECK_SUCCESS(MPI_Ibarrier(MPI_COMM_WORLD, &request));
        if (round % 2) {
            int done = 0;
            while (!done)
                CHECK_SUCCESS(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
        } else {
            CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
        }
        CHECK(request == MPI_REQUEST_NULL);
        for (int source = 1; rank == 0 && source < size; ++source) {
            int found = 0, got;
            CHECK_SUCCESS(MPI_Iprobe(source, round, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE));
            CHECK(found);
            CHECK_SUCCESS(
                MPI_Recv(&got, 1, MPI_INT, source, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        }
    }
    return finish();
}
