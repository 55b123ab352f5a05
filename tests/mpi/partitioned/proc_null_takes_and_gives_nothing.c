// MPI 5.0 section 3.11: "A communication with MPI_PROC_NULL has no effect.": partitioned
// operations have the same arguments, and complete.
// ranks: 1
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int values[4] = {7, 7, 7, 7}, flag = 0;
    MPI_Request send, receive;
    MPI_Status status;
    CHECK_SUCCESS(MPI_Psend_init(values, 4, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD,
                                 MPI_INFO_NULL, &send));
    CHECK_SUCCESS(MPI_Precv_init(values, 4, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD,
                                 MPI_INFO_NULL, &receive));
    for (int round = 0; round < 3; ++round) {
        CHECK_SUCCESS(MPI_Start(&send));
        CHECK_SUCCESS(MPI_Start(&receive));
        CHECK_SUCCESS(MPI_Pready_range(0, 2, send));
        CHECK_SUCCESS(MPI_Test(&send, &flag, MPI_STATUS_IGNORE));
        CHECK_EQUAL(flag, 0); // "each partition must be marked as ready"
        CHECK_SUCCESS(MPI_Pready(3, send));
        CHECK_SUCCESS(MPI_Wait(&send, MPI_STATUS_IGNORE));
        CHECK_SUCCESS(MPI_Parrived(receive, 3, &flag));
        CHECK_EQUAL(flag, 1);
        CHECK_SUCCESS(MPI_Wait(&receive, &status));
        CHECK_EQUAL(status.MPI_SOURCE, MPI_PROC_NULL);
        CHECK_EQUAL(status.MPI_TAG, MPI_ANY_TAG);
        CHECK_EQUAL(values[3], 7);
    }
    MPI_Request_free(&send);
    MPI_Request_free(&receive);
    return finish();
}
