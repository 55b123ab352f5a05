// Both ranks pass an array of double with MPI_INT.
// ranks: 2
// flags: --check
// options: --check
// expect: warning: rank 0: MPI_Send: buf points to double, but the datatype is MPI_INT \(at .*_wrong\.c:16 in main\)
// expect: warning: rank 1: MPI_Recv: buf points to double, but the datatype is MPI_INT \(at .*_wrong\.c:18 in main\)
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    double values[8] = {0};
    MPI_Datatype type = MPI_INT;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Send(values, 8, type, 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(values, 8, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
