// With mpiexec --check what is tolerated against the MPI standard is an error: here a receive that
// is freed, and for which no message ever comes.
// ranks: 2
// options: --check
// exit: nonzero
// expect: ^thrum: rank 0: MPI_Finalize: MPI_ERR_PENDING: 1 receive freed by MPI_Request_free got no message
#include "messages.h"

static int in;

int main(void) {
    start(NULL, NULL);
    MPI_Request request;
    if (rank == 0) {
        CHECK_SUCCESS(MPI_Irecv(&in, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request));
        CHECK_SUCCESS(MPI_Request_free(&request));
    }
    return finish();
}
