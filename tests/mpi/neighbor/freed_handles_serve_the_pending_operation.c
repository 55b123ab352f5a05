// MPI 5.0 section 7.4.3: "Any operations that use the communicator comm (whether active or inactive
// at the time of this procedure call) will continue to work; the object is actually deallocated
// only if there are no other active references to it." Section 5.1.9 says the same of datatypes.
// ranks: 2 6
#include "grids.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Comm braid = new_braid();
    int send[4], receive[4], kept[8], sender, counts[4] = {1, 1, 1, 1};
    MPI_Aint places[4] = {0, 4, 8, 12}, pairs[4] = {0, 8, 16, 24};
    MPI_Datatype types[4], receive_types[4];
    MPI_Request once, again;
    for (int i = 0; i < 4; ++i) {
        send[i] = datum(rank, i);
        MPI_Type_contiguous(1, MPI_INT, &types[i]);
        MPI_Type_commit(&types[i]);
        MPI_Type_create_resized(MPI_INT, 0, 8, &receive_types[i]);
        MPI_Type_commit(&receive_types[i]);
    }
    memset(kept, -1, sizeof kept);
    CHECK_SUCCESS(MPI_Neighbor_alltoallw_init(send, counts, places, types, kept, counts, pairs,
                                              receive_types, braid, MPI_INFO_NULL, &again));
    if (rank == 0)
        MPI_Barrier(MPI_COMM_WORLD);
    CHECK_SUCCESS(MPI_Ineighbor_alltoallw(send, counts, places, types, receive, counts, places,
                                          types, braid, &once));
    MPI_Comm_free(&braid);
    for (int i = 0; i < 4; ++i) {
        MPI_Type_free(&types[i]);
        MPI_Type_free(&receive_types[i]);
        MPI_Type_contiguous(7, MPI_DOUBLE, &types[i]); // takes the memory again
        MPI_Type_commit(&types[i]);
    }
    if (rank != 0)
        MPI_Barrier(MPI_COMM_WORLD);
    CHECK_SUCCESS(MPI_Wait(&once, MPI_STATUS_IGNORE));
    for (int round = 0; round < 2; ++round) {
        CHECK_SUCCESS(MPI_Start(&again));
        CHECK_SUCCESS(MPI_Wait(&again, MPI_STATUS_IGNORE));
    }
    CHECK_SUCCESS(MPI_Request_free(&again));
    for (int i = 0; i < 4; ++i) {
        int slot = braid_slot(rank, i, &sender);
        CHECK_EQUAL(receive[i], datum(sender, slot));
        CHECK_EQUAL(kept[2 * i], datum(sender, slot));
        CHECK_EQUAL(kept[2 * i + 1], -1);
        MPI_Type_free(&types[i]);
    }
    return finish();
}
