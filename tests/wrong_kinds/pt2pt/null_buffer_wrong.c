// The buffer was never allocated.
// ranks: 2
// exit: 1
// expect: rank [01]: MPI_(Send|Recv): MPI_ERR_BUFFER: buf is a null pointer \(or.*wrong\.c:(13|15)
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *data = NULL;
    if (rank == 0)
        MPI_Send(data, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(data, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
