/* The operations that are counted for one rank, not timed (misses.c, transfers/transfers.c). */
#include <mpi.h>

static int rank;
static double in[8], out[8];

static void pairs(void) {
    MPI_Sendrecv(in, 1, MPI_DOUBLE, rank ^ 1, 0, out, 1, MPI_DOUBLE, rank ^ 1, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

static void barrier(void) {
    MPI_Barrier(MPI_COMM_WORLD);
}

static void bcast(void) {
    MPI_Bcast(in, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static void allreduce(void) {
    MPI_Allreduce(in, out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}
