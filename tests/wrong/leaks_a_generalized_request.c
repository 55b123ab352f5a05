// ranks: 2
// expect: warning: 2 requests made by MPI_Grequest_start at .*:22 in main .* completed \(ranks 0,1, one each\)$
#include <mpi.h>

static int query(void *state, MPI_Status *status) {
    (void)state, (void)status;
    return MPI_SUCCESS;
}

static int forget(void *state) {
    (void)state;
    return MPI_SUCCESS;
}

static int stop(void *state, int complete) {
    return state ? complete : MPI_SUCCESS;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Request request;
    MPI_Grequest_start(query, forget, stop, NULL, &request);
    MPI_Grequest_complete(request);
    MPI_Finalize();
    return 0;
}
