// The attached buffer lacks MPI_BSEND_OVERHEAD.
// ranks: 2
// options: --check
// exit: 1
// expect: rank 0: MPI_Bsend: MPI_ERR_BUFFER: no room for a buffered send of 400 bytes in the attached buffer of 400
// expect: bytes; a buffer needs space for .* plus MPI_BSEND_OVERHEAD .*at .*_wrong\.c:19 in main
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    static int data[100];
    static char buffer[sizeof data];
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
