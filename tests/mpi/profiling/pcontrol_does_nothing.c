// MPI 5.0 section 15.2.1: the library has to "provide a no-op routine MPI_PCONTROL";
// section 15.2.7: its level may be followed by any arguments.
// ranks: 1 2
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    for (int level = -1; level < 4; ++level)
        CHECK_SUCCESS(MPI_Pcontrol(level));
    CHECK_SUCCESS(MPI_Pcontrol(2, "flush", 3.5, &argc));
    CHECK_SUCCESS(PMPI_Pcontrol(0));
    return finish();
}
