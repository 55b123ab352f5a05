// Rank 1 aborts the job while the others wait for it.
// MPI 5.0 section 11.4.2: MPI_ABORT "makes a 'best attempt' to abort" all processes of the group;
// its error code is returned to the environment.
// exit: 7
// expect: rank 1.*MPI_Abort
// timeout: 30
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        MPI_Abort(MPI_COMM_WORLD, 7);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
