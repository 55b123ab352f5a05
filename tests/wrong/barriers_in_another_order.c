// Rank 1 meets the others on two communicators in another order: nobody can go on.
// MPI 5.0 section 6.14: collective operations on several communicators must not depend on each
// other in a circle.
// ranks: 3
// exit: 86
// expect: ranks 0,2: MPI_Barrier on MPI_COMM_WORLD, .*; missing: rank 1
// expect: rank 1: MPI_Barrier on "other" \(3 ranks\), .*; missing: ranks 0,2
// expect: 2 ranks wait for each other in a cycle: 0 -> 1 -> 0
// timeout: 30
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Comm other;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    MPI_Comm_set_name(other, "other");
    MPI_Barrier(rank == 1 ? other : MPI_COMM_WORLD);
    MPI_Barrier(rank == 1 ? MPI_COMM_WORLD : other);
    MPI_Comm_free(&other);
    MPI_Finalize();
    return 0;
}
