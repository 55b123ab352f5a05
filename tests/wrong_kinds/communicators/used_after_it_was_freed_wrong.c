// A copy of the handle is used after MPI_Comm_free.
// ranks: 2
// exit: 5
// expect: rank [01]: MPI_Barrier: MPI_ERR_COMM: comm is 0x[0-9a-f]+, which MPI_Comm_free has freed at
// expect: .*wrong\.c:13 in main; made by MPI_Comm_dup at .*wrong\.c:11 in main \(at .*wrong\.c:14 in main\)
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm comm, copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    copy = comm;
    MPI_Comm_free(&comm);
    MPI_Barrier(copy);
    MPI_Finalize();
    return 0;
}
