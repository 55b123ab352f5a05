// MPI 5.0 section 11.8.2: MPI_COMM_GET_PARENT: "If the process was not spawned, MPI_COMM_GET_PARENT
// returns MPI_COMM_NULL." Another test spawns this program, which then doubles numbers for its
// parents.
// ranks: 2
#include "dynamic.h"

static int served = 0;

int main(int argc, char **argv) {
    start_family(&argc, &argv);
    if (!is_child())
        return finish();
    for (;;) {
        MPI_Status status;
        int number;
        CHECK_SUCCESS(MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, parent, &status));
        if (status.MPI_TAG == 0)
            break;
        number *= 2;
        ++served;
        CHECK_SUCCESS(MPI_Send(&number, 1, MPI_INT, status.MPI_SOURCE, 1, parent));
    }
    CHECK_SUCCESS(MPI_Send(&served, 1, MPI_INT, 0, 2, parent));
    return part_from(&parent);
}
