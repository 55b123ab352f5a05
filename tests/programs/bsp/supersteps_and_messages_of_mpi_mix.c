// A process is a rank of MPI: messages and collective operations of MPI within supersteps.
// ranks: 2 6
#include "check.h"

#include <thrum/bsp.h>

int main(int argc, char **argv) {
    static int cell;
    MPI_Init(&argc, &argv);
    bsp_begin(bsp_nprocs());
    int p = bsp_nprocs(), me = bsp_pid(), rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CHECK_EQUAL(me, rank);
    CHECK_EQUAL(p, size);
    for (int s = 0; s < 20; ++s) {
        int value = s * 100 + me, received, sum;
        cbsp_send((me + 1) % p, &cell, &value, sizeof value, NULL);
        MPI_Sendrecv(&value, 1, MPI_INT, (me + 1) % p, 0, &received, 1, MPI_INT, (me + p - 1) % p,
                     0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        s % 2 ? bsp_sync() : bsp_sync_count(1);
        CHECK_EQUAL(cell, received);
        MPI_Allreduce(&cell, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        CHECK_EQUAL(sum, p * s * 100 + p * (p - 1) / 2);
    }
    bsp_end();
    MPI_Finalize();
    return 0;
}
