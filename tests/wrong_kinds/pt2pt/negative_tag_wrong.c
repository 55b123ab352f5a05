// Tags are not negative.
// ranks: 2
// exit: 4
// expect: rank [01]: MPI_(Send|Recv): MPI_ERR_TAG: tag is -100, but must not be.*wrong\.c:(14|16)
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = 7;
    const int tag = -100;
    if (rank == 0)
        MPI_Send(&value, 1, MPI_INT, 1, tag, MPI_COMM_WORLD);
    else
        MPI_Recv(&value, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
