// MPI 5.0 section 6.12: "It is erroneous to call MPI_REQUEST_FREE or MPI_CANCEL for a request
// associated with a nonblocking collective operation." Section 6.13: "Inactive persistent
// collective requests can be freed using MPI_REQUEST_FREE. It is erroneous to free an active
// persistent collective request. Persistent collective operations cannot be canceled; it is
// erroneous to use MPI_CANCEL on a persistent collective request."
// ranks: 2
// options: --check
#include "grids.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Comm braid = new_braid();
    MPI_Comm_set_errhandler(braid, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    int values[4], values_again[4], sender;
    MPI_Request once, again;
    CHECK_SUCCESS(MPI_Neighbor_allgather_init(&rank, 1, MPI_INT, values_again, 1, MPI_INT, braid,
                                              MPI_INFO_NULL, &again));
    for (int i = 0; i < 2; ++i) {
        if (rank == 1)
            MPI_Barrier(MPI_COMM_WORLD); // so that rank 0's are active
        CHECK_SUCCESS(MPI_Ineighbor_allgather(&rank, 1, MPI_INT, values, 1, MPI_INT, braid, &once));
        CHECK_SUCCESS(MPI_Start(&again));
        if (rank == 0) {
            CHECK_ERROR(MPI_Request_free(&once), MPI_ERR_REQUEST);
            CHECK_ERROR(MPI_Request_free(&again), MPI_ERR_REQUEST);
            CHECK_ERROR(MPI_Cancel(&once), MPI_ERR_REQUEST);
            CHECK_ERROR(MPI_Cancel(&again), MPI_ERR_REQUEST);
            CHECK_ERROR(MPI_Start(&again), MPI_ERR_REQUEST);
            CHECK_ERROR(MPI_Start(&once), MPI_ERR_REQUEST);
            MPI_Barrier(MPI_COMM_WORLD);
        }
        CHECK_SUCCESS(MPI_Wait(&once, MPI_STATUS_IGNORE));
        CHECK_SUCCESS(MPI_Wait(&again, MPI_STATUS_IGNORE));
        for (int k = 0; k < 4; ++k) {
            braid_slot(rank, k, &sender);
            CHECK_EQUAL(values[k], sender);
            CHECK_EQUAL(values_again[k], sender);
        }
    }
    CHECK_SUCCESS(MPI_Request_free(&again));
    MPI_Comm_free(&braid);
    return finish();
}
