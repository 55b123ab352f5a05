// Only the members of the group call MPI_Comm_create.
// ranks: 3
// exit: 16
// expect: ranks disagree on the operation: rank [01] calls MPI_Comm_create.*wrong\.c:(16|17)
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Group world, pair;
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 2, (int[]){0, 1}, &pair);
    if (rank < 2)
        MPI_Comm_create(MPI_COMM_WORLD, pair, &comm);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Group_free(&pair);
    MPI_Group_free(&world);
    if (comm != MPI_COMM_NULL)
        MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
