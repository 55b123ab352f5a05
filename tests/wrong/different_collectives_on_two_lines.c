// Rank 1 broadcasts where the others meet. The report names both lines.
// MPI 5.0 section 6.14: "collective operations must be executed in the same order at all members of
// the communication group".
// ranks: 2
// exit: nonzero
// expect: ranks disagree on the operation: rank 0 calls MPI_Barrier, rank 1 calls MPI_Bcast
// expect: different_collectives_on_two_lines.c:19 in meet
// expect: different_collectives_on_two_lines.c:23 in tell
// expect: ; rank [01]: .*different_collectives_on_two_lines.c:(19|23) in (meet|tell)\)$
// modes: fibers-1 fibers-2 os-threads
// timeout: 30
#include <mpi.h>

static int value;

// Two functions, so that both calls keep their lines at -O2.

static void meet(void) {
    MPI_Barrier(MPI_COMM_WORLD);
}

static void tell(void) {
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        tell();
    else
        meet();
    MPI_Finalize();
    return 0;
}
