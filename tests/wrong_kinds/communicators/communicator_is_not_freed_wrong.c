// A library duplicates the communicator in each call and never frees it.
// ranks: 3
// expect: warning: 6 communicators made by MPI_Comm_dup at.*wrong\.c:10
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    for (int call = 0; call < 2; ++call) {
        MPI_Comm comm;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        MPI_Barrier(comm);
    }
    MPI_Finalize();
    return 0;
}
