// Rank 1 has many messages that it does not receive. The report shows those first that are nearest
// to what it waits for: from the same source, then with the same tag.
// ranks: 3
// exit: 86
// expect: rank 1: MPI_Recv from rank 2, tag 6, MPI_COMM_WORLD
// expect: rank 1 has an unmatched message from rank 2 with tag 5 on MPI_COMM_WORLD
// expect: rank 1 has an unmatched message from rank 0 with tag 6 on MPI_COMM_WORLD
// expect: rank 2 has an unmatched message from rank 0 with tag 4 on MPI_COMM_WORLD
// expect-not: rank 1 has an unmatched message from rank 0 with tag 1[0-9]
// timeout: 30
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int tag = 10; tag < 30; tag++)
            MPI_Send(&value, 1, MPI_INT, 1, tag, MPI_COMM_WORLD);
        MPI_Send(&value, 1, MPI_INT, 1, 6, MPI_COMM_WORLD);
        MPI_Send(&value, 1, MPI_INT, 2, 4, MPI_COMM_WORLD);
    } else if (rank == 2) {
        MPI_Send(&value, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&value, 1, MPI_INT, 2, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
