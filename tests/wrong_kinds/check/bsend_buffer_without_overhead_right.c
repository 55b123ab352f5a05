// The overhead is counted.
// ranks: 2
// options: --check
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    static int data[100];
    static char buffer[sizeof data + MPI_BSEND_OVERHEAD];
    void *old;
    int length;
    MPI_Buffer_attach(buffer, sizeof buffer);
    if (rank == 0)
        MPI_Bsend(data, 100, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(data, 100, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&old, &length);
    MPI_Finalize();
    return 0;
}
