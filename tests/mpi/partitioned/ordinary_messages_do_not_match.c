// MPI 5.0 section 4.2.1: "This operation can only match with partitioned communication
// initialization operations, therefore it is required to be matched with a corresponding
// MPI_PRECV_INIT call."
// ranks: 2
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int part = rank ? -1 : 1, plain = rank ? -1 : 2, flag;
    MPI_Request request;
    if (rank == 0) {
        MPI_Psend_init(&part, 1, 1, MPI_INT, 1, 4, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        MPI_Pready(0, request);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Send(&plain, 1, MPI_INT, 1, 4, MPI_COMM_WORLD);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Precv_init(&part, 1, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Recv(&plain, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        MPI_Iprobe(0, 4, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        CHECK_EQUAL(flag, 0);
        CHECK_EQUAL(part, -1); // not started yet
        MPI_Start(&request);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(part == 1 && plain == 2);
    MPI_Request_free(&request);
    return finish();
}
