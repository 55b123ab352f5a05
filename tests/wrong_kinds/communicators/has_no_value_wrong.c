// A communicator is used that no call has set.
// ranks: 2
// exit: 5
// expect: rank [01]: MPI_Barrier: MPI_ERR_COMM: comm is 0x[0-9a-f]+, which no call of this rank has returned:
// expect: has it a value\? \(at .*wrong\.c:14 in main\)
#include <mpi.h>

// What the variable holds where nothing has been stored: the address of something else.
static int other[100];

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm comm = (MPI_Comm)other;
    MPI_Barrier(comm);
    MPI_Finalize();
    return 0;
}
