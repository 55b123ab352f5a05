// Each rank takes itself for the root of a broadcast. Between processes no call notices that, since
// a root only sends; MPI_Finalize does.
// ranks: 2 4
// expect: MPI_Bcast: what rank [0-3] sent with root [0-3]( .and 2 more.)? was never received by rank [0-3]:
// modes: processes
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Bcast(&rank, 1, MPI_INT, rank, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
