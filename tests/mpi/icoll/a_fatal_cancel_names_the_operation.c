// MPI 5.0 section 6.12: "It is erroneous to call MPI_REQUEST_FREE or MPI_CANCEL for a request
// associated with a nonblocking collective operation." The error is the communicator's.
// ranks: 2
// exit: nonzero
// expect: thrum: rank [01]: MPI_Cancel: MPI_ERR_REQUEST: .*MPI_Iallreduce.*cannot be cancelled \(at .*a_fatal_cancel
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Request request;
    int sum;
    CHECK_SUCCESS(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    CHECK_SUCCESS(MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request));
    MPI_Cancel(&request);
    return finish();
}
