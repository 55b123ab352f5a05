// The buffer is attached.
// ranks: 2
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = 7;
    static char buffer[100 + MPI_BSEND_OVERHEAD];
    int length;
    void *old;
    MPI_Buffer_attach(buffer, sizeof buffer);
    if (rank == 0)
        MPI_Bsend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&old, &length);
    MPI_Finalize();
    return 0;
}
