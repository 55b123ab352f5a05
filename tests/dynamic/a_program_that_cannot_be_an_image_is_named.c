// MPI 5.0 section 11.8.2: "If it is unable to spawn maxprocs processes, it raises an error of class
// MPI_ERR_SPAWN." This program is no position-independent executable: as a single rank it runs, but
// its process cannot be cloned, so that it has no children.
// flags: -no-pie -fno-pie
// ranks: 1
// exit: nonzero
// expect: MPI_Comm_spawn: MPI_ERR_SPAWN: .*not position-independent
// expect: runs
// expect-not: still here
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    printf("runs\n");
    fflush(stdout);
    MPI_Comm children;
    MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &children,
                   MPI_ERRCODES_IGNORE);
    printf("still here\n");
    return finish();
}
