/* hello [FILE]: starts, meets in a barrier, ends.
 * With FILE, rank 0 prints READY after the barrier and all ranks stay until FILE is gone, so that
 * run.py can look at the memory of the job. */
#include <mpi.h>

#include <stdio.h>
#include <unistd.h>

static int rank; /* an ordinary global: each rank has its own */

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        puts("READY");
        fflush(stdout);
    }
    if (argc > 1) {
        while (rank == 0 && access(argv[1], F_OK) == 0)
            usleep(10000);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
