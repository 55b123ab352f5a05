// MPI 5.0 section 11.8.2: "MPI_COMM_SPAWN tries to start maxprocs identical copies of the MPI
// program specified by command". Here the ranks share one copy of the code (mpicc --privatize).
// flags: --privatize
// ranks: 1 3
// ends: n + 20
#include "dynamic.h"

static int initialised = 17, zero;

int main(int argc, char **argv) {
    CHECK(initialised == 17 && zero == 0);
    start_family(&argc, &argv);
    initialised = zero = 1 + rank;
    if (is_child()) {
        CHECK_SUCCESS(MPI_Barrier(MPI_COMM_WORLD));
        CHECK(initialised == 1 + rank && zero == 1 + rank);
        return part_from(&parent);
    }
    for (int i = 0; i < 5; ++i) {
        MPI_Comm children = spawn_self(argv[0], "child", 4);
        CHECK_SUCCESS(MPI_Comm_disconnect(&children));
        CHECK(initialised == 1 + rank);
    }
    return finish();
}
