// MPI 5.0 section 6.9.1: "all processes provide input buffers of the same length". The process that
// receives a vector of another size than its own reports it; errors are fatal.
// ranks: 3 4
// modes: processes processes-2
// exit: nonzero
// expect: MPI_ERR_COUNT: ranks disagree on the size of the data of MPI_Allreduce: rank [0-2] has 400 bytes,
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int send[101] = {0}, receive[101];
    MPI_Allreduce(send, receive, rank == size - 1 ? 101 : 100, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    return finish();
}
