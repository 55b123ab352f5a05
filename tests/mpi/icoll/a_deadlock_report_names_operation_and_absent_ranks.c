// MPI 5.0 section 6.12: "In particular, once a MPI process calls a collective operation, all other
// MPI processes in the communicator must eventually call the same collective operation, and no
// other collective operation with the same communicator in between."
// ranks: 6
// exit: nonzero
// expect: DEADLOCK: all 6 ranks are blocked
// expect: ranks 0,1,3-5: MPI_Wait for MPI_Iallreduce on MPI_COMM_WORLD, at .*a_deadlock_report.*; missing: rank 2
// expect: rank 2: MPI_Waitall for 2 requests: receive from rank 0, tag 9, MPI_COMM_WORLD; MPI_Ibcast,
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Comm comm;
    MPI_Request requests[2];
    int sum, value;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (rank == 2) {
        MPI_Irecv(&value, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, &requests[0]);
        MPI_Ibcast(&sum, 1, MPI_INT, 0, comm, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    } else {
        MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[0]);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    }
    return finish();
}
