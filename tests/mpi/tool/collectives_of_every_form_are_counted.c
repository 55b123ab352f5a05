// MPI 5.0 section 15.3.7: "A performance variable in this class counts the number of occurrences
// of a specific event"
// ranks: 1 2 5
#include "variables.h"

int main(void) {
    start(NULL, NULL);
    start_tools();
    int dims[1] = {size}, periods[1] = {1}, sum, both[2];
    MPI_Comm ring;
    MPI_Request request;
    CHECK_SUCCESS(MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &ring));
    MPI_T_pvar_handle calls = counted("collective_calls", MPI_T_PVAR_CLASS_COUNTER, NULL),
                      on_ring = counted("comm_collective_calls", MPI_T_PVAR_CLASS_COUNTER, &ring);
    CHECK_SUCCESS(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK_EQUAL(value_of(calls), 1);
    CHECK_SUCCESS(MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, ring, &request));
    CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_EQUAL(value_of(calls), 2);
    // A persistent one counts its starts.
    CHECK_SUCCESS(MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &request));
    CHECK_EQUAL(value_of(calls), 2);
    for (int i = 0; i < 5; ++i) {
        CHECK_SUCCESS(MPI_Start(&request));
        CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
    CHECK_SUCCESS(MPI_Request_free(&request));
    CHECK_EQUAL(value_of(calls), 7);
    // Among neighbours.
    CHECK_SUCCESS(MPI_Neighbor_allgather(&rank, 1, MPI_INT, both, 1, MPI_INT, ring));
    CHECK_SUCCESS(MPI_Ineighbor_allgather(&rank, 1, MPI_INT, both, 1, MPI_INT, ring, &request));
    CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_SUCCESS(MPI_Neighbor_allgather_init(&rank, 1, MPI_INT, both, 1, MPI_INT, ring,
                                              MPI_INFO_NULL, &request));
    CHECK_SUCCESS(MPI_Start(&request));
    CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_SUCCESS(MPI_Request_free(&request));
    CHECK_EQUAL(value_of(calls), 10);
    CHECK_EQUAL(value_of(on_ring), 4);
    CHECK_CODE(MPI_T_pvar_handle_free(session, &on_ring), MPI_SUCCESS);
    CHECK_SUCCESS(MPI_Comm_free(&ring));
    CHECK_CODE(MPI_T_finalize(), MPI_SUCCESS);
    return finish();
}
