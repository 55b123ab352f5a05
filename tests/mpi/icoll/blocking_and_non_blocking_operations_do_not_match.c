// MPI 5.0 section 6.12: "Unlike point-to-point operations, nonblocking collective operations do not
// match with blocking collective operations, and collective operations do not have a tag argument."
// The report names both.
// ranks: 2
// exit: nonzero
// expect: DEADLOCK: all 2 ranks are blocked
// expect: rank 0: MPI_Wait for MPI_Ialltoall on MPI_COMM_WORLD, at .*blocking_and_non.*; missing: rank 1
// expect: rank 1: MPI_Alltoall on MPI_COMM_WORLD
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int in[2] = {1, 2}, out[2];
    MPI_Request req;
    switch (rank) {
    case 0:
        MPI_Ialltoall(in, 1, MPI_INT, out, 1, MPI_INT, MPI_COMM_WORLD, &req);
        MPI_Wait(&req, MPI_STATUS_IGNORE);
        break;
    case 1:
        MPI_Alltoall(in, 1, MPI_INT, out, 1, MPI_INT, MPI_COMM_WORLD);
    }
    return finish();
}
