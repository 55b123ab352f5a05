// Every rank makes a communicator in a function and forgets it; the last rank makes two more.
// ranks: 4
// expect: warning: 4 communicators made by MPI_Comm_dup at .*:11 in make .* freed \(ranks 0-3, one each\)$
// expect: warning: 5 communicators made by MPI_Comm_split at .*:21 in main .* freed \(ranks 0-3\)$
// expect: warning: 1 communicator made by MPI_Comm_dup at .*:26 in main was never freed \(rank 3\)$
// expect-not: MPI_Comm_create|27 in main
#include <mpi.h>

static MPI_Comm make(void) {
    MPI_Comm made;
    MPI_Comm_dup(MPI_COMM_WORLD, &made);
    return made;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm comm = make(), part;
    for (int i = 0; i < 2; ++i) {
        MPI_Comm_split(comm, i > 0 && rank < 3 ? MPI_UNDEFINED : 0, 0, &part);
    }
    MPI_Comm own, freed;
    if (rank == 3)
        for (int i = 0; i < 1; ++i)
            MPI_Comm_dup(MPI_COMM_SELF, &own);
    MPI_Comm_dup(MPI_COMM_SELF, &freed);
    MPI_Comm_free(&freed);
    MPI_Finalize();
    return 0;
}
