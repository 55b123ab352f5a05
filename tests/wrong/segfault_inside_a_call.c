// Rank 1 hands MPI_Send a buffer that does not exist: the report names the call.
// exit: 139
// expect: rank [01]: segmentation fault at address 0x10
// expect: inside MPI_(Send|Recv) called at main \(.*segfault_inside_a_call.c:(16|18)\)
// ranks: 2
// timeout: 30
#include <mpi.h>

int *volatile nowhere = (int *)0x10;

int main(int argc, char **argv) {
    int rank, value;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        MPI_Send(nowhere, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
