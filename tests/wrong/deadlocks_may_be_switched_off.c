// With --deadlock=off nothing is said, neither of some ranks nor of all.
// ranks: 3
// options: --deadlock off
// exit: 124
// expect-not: DEADLOCK
// timeout: 4
#include <mpi.h>

#include <unistd.h>

int main(int argc, char **argv) {
    int rank, value;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 2)
        sleep(2);
    MPI_Recv(&value, 1, MPI_INT, (rank + 1) % 3, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
