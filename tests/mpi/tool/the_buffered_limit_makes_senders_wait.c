// MPI 5.0 section 15.3.6: "This routine sets the value of the control variable identified by the
// argument handle to the data stored in the buffer identified by the parameter buf." Beyond the
// receiver's buffered_limit, sends wait for it, however small they are.
// ranks: 2
#include "variables.h"

int main(void) {
    start(NULL, NULL);
    start_tools();
    int number = 5, done = 0;
    if (rank == 1)
        set_control("buffered_limit", 0);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Request request;
        MPI_Isend(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        CHECK(!done);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Recv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK_EQUAL(number, 5);
        set_control("buffered_limit", 1 << 20);
        CHECK_EQUAL(get_control("buffered_limit"), 1 << 20);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Request request;
        MPI_Isend(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        CHECK(done);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Recv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK_CODE(MPI_T_finalize(), MPI_SUCCESS);
    MPI_Finalize();
    return 0;
}
