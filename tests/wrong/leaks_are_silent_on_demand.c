// --check=off silences warnings of leaks, and of what is tolerated.
// ranks: 3
// options: --check=off
// expect-not: warning
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Group group;
    char one = 1, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Allreduce(&one, &sum, 1, MPI_CHAR, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return sum != 3;
}
