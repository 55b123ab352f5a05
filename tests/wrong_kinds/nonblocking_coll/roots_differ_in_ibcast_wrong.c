// Each rank names itself as root.
// ranks: 2
// exit: 8
// expect: rank [0-9]+: MPI_[A-Za-z_]+: MPI_ERR_ROOT: ranks disagree on root of.*wrong\.c:(14|13)
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank;
    MPI_Request request;
    MPI_Ibcast(&value, 1, MPI_INT, rank, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
