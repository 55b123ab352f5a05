// Rank 2 finalizes MPI in a handler of exit(), as Python does, while the others wait in a barrier.
// The report names its exit code, which is the job's.
// exit: 3
// expect: ^my own message$
// expect: rank 2 .* exit code 3 after MPI_Finalize, at .*_wait.c:26 in main, and the others wait for it: ranks 0,1,3
// expect: ranks 0,1,3: MPI_Barrier on MPI_COMM_WORLD, at .*:[0-9]+ in main; missing: rank 2$
// expect-not: DEADLOCK
// expect-not: disagree
// timeout: 30
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>

static void finalize(void) {
    MPI_Finalize();
}

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 2) {
        atexit(finalize);
        fprintf(stderr, "my own message\n");
        exit(3);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
