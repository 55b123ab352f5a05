// A program that uses both may call MPI_Finalize before bsp_end, or after it; it may begin
// supersteps first, or MPI. Argument "before": MPI_Finalize comes first.
// ranks: 2 5
// args: before
#include "check.h"

#include <string.h>
#include <thrum/bsp.h>

static int cells[8];

static void superstep(int value) {
    int p = bsp_nprocs(), me = bsp_pid();
    for (int to = 0; to < p; ++to)
        cbsp_send(to, &cells[me], &value, sizeof value, NULL);
    value % 2 ? cbsp_nsync(p) : cbsp_gsync();
    for (int i = 0; i < p; ++i)
        CHECK_EQUAL(cells[i], value);
}

int main(int argc, char **argv) {
    int before = argc > 1 && !strcmp(argv[1], "before"), sum = 0, one = 1;
    bsp_begin(bsp_nprocs());
    superstep(1);
    MPI_Init(&argc, &argv);
    superstep(2);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK_EQUAL(sum, bsp_nprocs());
    if (before) {
        MPI_Finalize();
        for (int value = 3; value < 20; ++value)
            superstep(value);
    }
    bsp_end();
    if (!before) {
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        MPI_Finalize();
    }
    return 0;
}
