// A job of one rank is an ordinary process, whose exit code changes in its exit().
// ranks: 1
// env: THRUM_CHECK=error
// exit: 1
// expect: warning: 1 group made by MPI_Comm_group at .*:15 in main was never freed \(rank 0\)$
// expect: ^thrum: leaks at 1 place: exit code 1 \(--check=error\)$
// expect: ^the output is written$
#include <mpi.h>

#include <stdio.h>

int main(int argc, char **argv) {
    MPI_Group group;
    MPI_Init(&argc, &argv);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    printf("the output is written\n");
    MPI_Finalize();
    return 0;
}
