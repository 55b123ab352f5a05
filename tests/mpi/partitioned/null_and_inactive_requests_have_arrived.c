// MPI 5.0 section 4.2.2: "MPI_PARRIVED may be called with a null or inactive request argument. In
// either case, the operation returns with flag = true." "MPI_PARRIVED may be called multiple times
// for a partition." "The request is not marked as complete/inactive by this procedure."
// ranks: 2
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int values[3] = {1, 2, 3}, flag = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_SUCCESS(MPI_Parrived(request, 5, &flag));
    CHECK_EQUAL(flag, 1);
    if (rank == 0) {
        MPI_Psend_init(values, 3, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        MPI_Pready_range(0, 2, request);
    } else {
        MPI_Precv_init(values, 3, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        flag = 0;
        CHECK_SUCCESS(MPI_Parrived(request, 1, &flag));
        CHECK_EQUAL(flag, 1); // inactive
        MPI_Start(&request);
        for (int i = 0; i < 3; ++i)
            for (flag = 0; !flag;)
                CHECK_SUCCESS(MPI_Parrived(request, i, &flag));
        CHECK_SUCCESS(MPI_Parrived(request, 0, &flag));
        CHECK_EQUAL(flag, 1);
        // Still active: it cannot be started.
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
        CHECK_ERROR(MPI_Start(&request), MPI_ERR_REQUEST);
    }
    CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
    if (rank == 1) {
        flag = 0;
        CHECK_SUCCESS(MPI_Parrived(request, 2, &flag));
        CHECK_EQUAL(flag, 1); // inactive again
    }
    MPI_Request_free(&request);
    return finish();
}
