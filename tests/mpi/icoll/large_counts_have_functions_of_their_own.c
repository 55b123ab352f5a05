// MPI 5.0 section 6.12.2: "int MPI_Ibcast_c(void *buffer, MPI_Count count, MPI_Datatype datatype,
// int root, MPI_Comm comm, MPI_Request *request)"
// ranks: 2 5
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int value = rank == 1 ? 7 : -1, sum = 0, all[64], back[64];
    MPI_Count ones[64];
    MPI_Aint displacements[64];
    MPI_Request requests[4], persistent;
    for (int i = 0; i < size; ++i) {
        ones[i] = 1;
        displacements[i] = size - 1 - i;
    }
    CHECK_SUCCESS(MPI_Ibcast_c(&value, 1, MPI_INT, 1, MPI_COMM_WORLD, &requests[0]));
    CHECK_SUCCESS(MPI_Iallreduce_c(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[1]));
    CHECK_SUCCESS(MPI_Iallgatherv_c(&rank, 1, MPI_INT, all, ones, displacements, MPI_INT,
                                    MPI_COMM_WORLD, &requests[2]));
    CHECK_SUCCESS(MPI_Ibarrier(MPI_COMM_WORLD, &requests[3]));
    CHECK_SUCCESS(MPI_Waitall(4, requests, MPI_STATUSES_IGNORE));
    CHECK_EQUAL(value, 7);
    CHECK_EQUAL(sum, size * (size - 1) / 2);
    for (int i = 0; i < size; ++i)
        CHECK_EQUAL(all[i], size - 1 - i);
    CHECK_SUCCESS(MPI_Alltoallv_init_c(all, ones, displacements, MPI_INT, back, ones, displacements,
                                       MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &persistent));
    CHECK_SUCCESS(MPI_Start(&persistent));
    CHECK_SUCCESS(MPI_Wait(&persistent, MPI_STATUS_IGNORE));
    for (int i = 0; i < size; ++i)
        CHECK_EQUAL(back[i], rank);
    CHECK_SUCCESS(MPI_Request_free(&persistent));
    return finish();
}
