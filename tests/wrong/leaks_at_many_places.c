// The report has 20 lines, and says how many places it leaves out.
// ranks: 2
// expect: warning: 2 groups made by MPI_Comm_group at .*:1[0-9] in main .* freed \(ranks 0,1, one each\)$
// expect: warning: \.\.\. and leaks at 1 more place$
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Group group;
    MPI_Init(&argc, &argv);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Finalize();
    return 0;
}
