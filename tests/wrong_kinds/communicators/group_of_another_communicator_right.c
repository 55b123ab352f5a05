// It is a subset of the communicator.
// ranks: 3
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm pair, comm = MPI_COMM_NULL;
    MPI_Group world, group;
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &pair);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Comm_group(pair, &group);
    MPI_Comm_create(pair, group, &comm);
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    MPI_Comm_free(&comm);
    MPI_Comm_free(&pair);
    MPI_Finalize();
    return 0;
}
