// Two ranks send, and one receive takes either message: the other one remains.
// ranks: 3
// options: --check
// expect: warning: rank 0: MPI_Irecv from MPI_ANY_SOURCE, at .*_wrong\.c:18 in main,
// expect: took the message of rank [12] \(MPI_Send, at .*_wrong\.c:16 in main\) and could have
// expect: could have taken that of rank [12] \(MPI_Send, at .*_wrong\.c:16 in main
// expect: in main\), which was never received
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request request;
    if (rank != 0) {
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
