// The report about a wait for a generalized request says where the request was made, and what ends
// the wait.
// ranks: 2
// exit: 86
// expect: 0: MPI_Waitall for 2 requests: generalized request made at .*completes.c:[0-9]+ in main
// expect: 1: MPI_Wait for a generalized request made at .*nobody_completes.c:[0-9]+ in main, for
// expect: , for which MPI_Grequest_complete has not been called; generalized request made at
// expect: , for which MPI_Grequest_complete has not been called, at .*completes.c:[0-9]+ in main$
// timeout: 30
#include <mpi.h>

static int query(void *state, MPI_Status *status) {
    return MPI_SUCCESS;
}

static int free_nothing(void *state) {
    return MPI_SUCCESS;
}

static int cancel(void *state, int complete) {
    return MPI_SUCCESS;
}

int main(int argc, char **argv) {
    int rank;
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Grequest_start(query, free_nothing, cancel, NULL, &requests[0]);
    MPI_Grequest_start(query, free_nothing, cancel, NULL, &requests[1]);
    if (rank == 0)
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    else
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
