// A generalized request that nobody completes is waited for.
// ranks: 1
// exit: 86
// expect: DEADLOCK: rank 0 is blocked and no message can arrive
// expect: rank 0: MPI_Wait for a generalized request made at .*wrong\.c:24 in main, for which MPI_G
#include <mpi.h>

static int query(void *state, MPI_Status *status) {
    MPI_Status_set_elements(status, MPI_BYTE, 0);
    return MPI_Status_set_cancelled(status, 0);
}

static int nothing(void *state) {
    return MPI_SUCCESS;
}

static int no_cancel(void *state, int complete) {
    return MPI_SUCCESS;
}

int main(int argc, char **argv) {
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Grequest_start(query, nothing, no_cancel, NULL, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
