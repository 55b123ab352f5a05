// ranks: 2
// MPI 5.0 section 3.7.5: MPI_Waitall returns MPI_ERR_IN_STATUS if an operation fails, and "the
// error field of each status" is then set to MPI_SUCCESS or a specific error class.
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    CHECK_SUCCESS(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    if (rank == 0) {
        int small, large[4];
        MPI_Request requests[2];
        MPI_Status statuses[2];
        CHECK_SUCCESS(MPI_Irecv(&small, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]));
        CHECK_SUCCESS(MPI_Irecv(large, 4, MPI_INT, 1, 1, MPI_COMM_WORLD, &requests[1]));
        CHECK_ERROR(MPI_Waitall(2, requests, statuses), MPI_ERR_IN_STATUS);
        CHECK_ERROR(statuses[0].MPI_ERROR, MPI_ERR_TRUNCATE);
        CHECK_EQUAL(statuses[1].MPI_ERROR, MPI_SUCCESS);
        CHECK_EQUAL(large[3], 4);
    } else {
        int data[4] = {1, 2, 3, 4};
        for (int tag = 0; tag < 2; tag++)
            CHECK_SUCCESS(MPI_Send(data, 4, MPI_INT, 0, tag, MPI_COMM_WORLD));
    }
    return finish();
}
