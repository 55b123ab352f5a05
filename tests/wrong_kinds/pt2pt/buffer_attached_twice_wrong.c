// A buffer is attached while another one is.
// ranks: 1
// exit: 1
// expect: rank 0: MPI_Buffer_attach: MPI_ERR_BUFFER: a buffer of 1000 bytes is.*wrong\.c:15
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    static char first[1000], second[1000];
    void *old;
    int length = rank;
    MPI_Buffer_attach(first, sizeof first);
    MPI_Buffer_attach(second, sizeof second);
    MPI_Buffer_detach(&old, &length);
    MPI_Finalize();
    return 0;
}
