// The probe may find the message of rank 2, for which a receive is meant that names it.
// ranks: 3
// options: --check
// expect: warning: rank 0: MPI_Probe from MPI_ANY_SOURCE, at .*_wrong\.c:23 in main,
// expect: found the message of rank 1 \(MPI_Send, at .*_wrong\.c:16 in main\) and could have
// expect: could have found that of rank 2 \(MPI_Send, at .*_wrong\.c:20 in main
// expect: in main\), for which MPI_Recv from rank 2 waits, at .*_wrong\.c:26 in main
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, value = 0;
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Send(&value, 0, MPI_INT, 2, 1, MPI_COMM_WORLD);
    } else if (rank == 2) {
        MPI_Recv(&value, 0, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    if (rank == 0) {
        MPI_Probe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        MPI_Recv(&value, 1, MPI_INT, status.MPI_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        // The other one:
        MPI_Recv(&value, 1, MPI_INT, 3 - status.MPI_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
