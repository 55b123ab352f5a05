// MPI 5.0 section 11.8.2: "By default, requests are
// hard and MPI errors are fatal. This means that by default there will be a fatal error if MPI
// cannot spawn all the requested processes." It says what is missing.
// ranks: 2
// exit: nonzero
// expect: MPI_Comm_spawn: MPI_ERR_SPAWN: command is "/no/such/program": /no/such/program: No such file or directory
// expect-not: still here
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Comm children;
    if (rank == 0)
        MPI_Comm_spawn("/no/such/program", MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF,
                       &children, MPI_ERRCODES_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    printf("still here\n");
    return finish();
}
