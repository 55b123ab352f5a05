// Rank 3 gives up with exit(4) while the others wait for it.
// exit: 4
// expect: rank 3 ended with exit code 4 without calling MPI_Finalize, at (.*/)?rank_exits_with_a_code.c:18 in main
// expect: the others: [123] ranks?
// timeout: 30
#include <mpi.h>

#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 3) {
        usleep(300000); // the others wait by then
        exit(4);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
