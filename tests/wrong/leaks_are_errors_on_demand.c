// With --check=error leaks make the exit code 1, after one line that counts them.
// ranks: 3
// options: --check=error
// exit: 1
// expect: warning: 3 groups made by MPI_Comm_group at .*:13 in main .* freed \(ranks 0-2, one each\)$
// expect: ^thrum: leaks at 2 places: exit code 1 \(--check=error\)$
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Group group;
    MPI_Info info;
    MPI_Init(&argc, &argv);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Info_create(&info);
    MPI_Finalize();
    return 0;
}
