// With mpiexec --check, what the MPI standard forbids is an error, also where Thrum allows it
// otherwise because other MPIs do.
// ranks: 1
// options: --check
// expect-not: warning
#include "world.h"

int main(void) {
    start(NULL, NULL);
    MPI_Request request;
    char text[] = "x";
    MPI_Aint address = 1;
    CHECK_SUCCESS(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_ERROR(MPI_Send(NULL, 0, MPI_DATATYPE_NULL, MPI_PROC_NULL, 0, MPI_COMM_WORLD),
                MPI_ERR_TYPE);
    CHECK_ERROR(MPI_Gather(NULL, 0, MPI_DATATYPE_NULL, NULL, 0, MPI_INT, 0, MPI_COMM_WORLD),
                MPI_ERR_TYPE);
    CHECK_ERROR(MPI_Allreduce(MPI_IN_PLACE, text, 1, MPI_CHAR, MPI_SUM, MPI_COMM_WORLD),
                MPI_ERR_OP);
    CHECK_ERROR(MPI_Allreduce(MPI_IN_PLACE, &address, 1, MPI_AINT, MPI_LAND, MPI_COMM_WORLD),
                MPI_ERR_OP);
    CHECK_ERROR(MPI_Publish_name("a service of mine", MPI_INFO_NULL, "my port"), MPI_ERR_PORT);
    CHECK_SUCCESS(MPI_Ibarrier(MPI_COMM_WORLD, &request));
    for (int flag = 0; !flag;)
        CHECK_SUCCESS(MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE));
    CHECK_ERROR(MPI_Request_free(&request), MPI_ERR_REQUEST);
    CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
    return finish();
}
