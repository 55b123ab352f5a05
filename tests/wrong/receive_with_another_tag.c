// The message is there, but the receiver asks for another tag.
// MPI 5.0 section 3.2.4: a message is received if it "matches the source, tag and comm values".
// ranks: 2
// exit: 86
// expect: rank 1: MPI_Recv from rank 0, tag 6, MPI_COMM_WORLD, at .*receive_with_another_tag.c:17 in main
// expect: rank 1 has an unmatched message from rank 0 with tag 5 on MPI_COMM_WORLD
// timeout: 30
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, value = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Send(&value, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
    else
        MPI_Recv(&value, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
