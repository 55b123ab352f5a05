// MPI 5.0 section 6.3: "The call returns at any MPI process only after all group members have
// entered the call."
// ranks: 2 5
#include "world.h"

#include <unistd.h>

int main(int argc, char **argv) {
    start(&argc, &argv);
    for (int last = 0; last < size; ++last) {
        if (rank == last)
            usleep(3000);
        double entered = MPI_Wtime(), latest;
        MPI_Barrier(MPI_COMM_WORLD);
        double left = MPI_Wtime();
        MPI_Allreduce(&entered, &latest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        CHECK(left >= latest); // one clock for all ranks: MPI_WTIME_IS_GLOBAL
    }
    return finish();
}
