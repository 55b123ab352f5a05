// MPI 5.0 section 11.8.2: "It is possible in MPI to start an SPMD or MPMD application with a fixed
// number of processes after initialization by first starting one process and having that process
// start its siblings with MPI_COMM_SPAWN." Each generation starts the next one.
// ranks: 1 2
// ends: n + 8
#include "dynamic.h"

int main(int argc, char **argv) {
    start_family(&argc, &argv);
    int generation = argc > 1 ? atoi(argv[1]) : 0, heard = -1;
    CHECK_EQUAL(generation > 0, is_child());
    MPI_Comm children = MPI_COMM_NULL;
    if (generation < 4) {
        char next[16];
        snprintf(next, sizeof next, "%d", generation + 1);
        children = spawn_self(argv[0], next, 2);
        // The youngest generation's word travels up.
        CHECK_SUCCESS(MPI_Bcast(&heard, 1, MPI_INT, 0, children));
    } else {
        heard = 42;
    }
    CHECK_EQUAL(heard, 42);
    if (is_child()) {
        CHECK_SUCCESS(MPI_Bcast(&heard, 1, MPI_INT, rank == 0 ? MPI_ROOT : MPI_PROC_NULL, parent));
        CHECK_SUCCESS(MPI_Comm_disconnect(&parent));
    }
    if (children != MPI_COMM_NULL)
        CHECK_SUCCESS(MPI_Comm_disconnect(&children));
    return finish();
}
