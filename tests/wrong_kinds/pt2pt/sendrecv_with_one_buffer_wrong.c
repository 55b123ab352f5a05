// MPI_Sendrecv sends from the buffer into which it receives.
// ranks: 2
// expect: warning: rank [0-9,-]+: MPI_Sendrecv: sendbuf and recvbuf overlap: pass.*wrong\.c:11
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank, other = 1 - rank;
    MPI_Sendrecv(&value, 1, MPI_INT, other, 0, &value, 1, MPI_INT, other, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
