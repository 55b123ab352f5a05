// MPI 5.0 section 16.4: "The value returned for MPI_HOST gets the rank of the HOST process in the
// group associated with communicator MPI_COMM_WORLD, if there is such. MPI_PROC_NULL is returned if
// there is no host." "The attribute MPI_HOST has the same value on all processes of
// MPI_COMM_WORLD."
// ranks: 1 3
#include "world.h"

int main(void) {
    start(NULL, NULL);
    int *host = NULL, flag = 0, least = 0, most = 0;
    CHECK_SUCCESS(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_HOST, &host, &flag));
    CHECK(flag && host);
    CHECK(*host == MPI_PROC_NULL || (*host >= 0 && *host < size));
    MPI_Allreduce(host, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(host, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    CHECK_EQUAL(least, most);
    MPI_Finalize();
    return 0;
}
