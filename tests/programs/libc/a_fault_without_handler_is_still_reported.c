// ranks: 8
// exit: 139
// expect: ^thrum: rank 5: segmentation fault at address 0x10
// expect-not: handled
// The handlers of other ranks do not replace the crash report of a rank that has none.
#include "check.h"

#include <signal.h>
#include <unistd.h>

static void handler(int signal) {
    (void)!write(STDERR_FILENO, "handled\n", 8);
    _exit(3);
}

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank != 5)
        signal(SIGSEGV, handler);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 5)
        *(volatile int *)16 = 1;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
