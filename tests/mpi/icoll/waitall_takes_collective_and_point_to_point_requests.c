// MPI 5.0 section 6.14, example: "Collective and point-to-point requests can be mixed in functions
// that enable multiple completions. If started with two MPI processes, the following program is
// valid."
// ranks: 2
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    for (int round = 0; round < 100; ++round) {
        MPI_Request reqs[2];
        int buf = round;
        switch (rank) {
        case 0:
            CHECK_SUCCESS(MPI_Ibarrier(MPI_COMM_WORLD, &reqs[0]));
            CHECK_SUCCESS(MPI_Send(&buf, 1, MPI_INT, 1, 3, MPI_COMM_WORLD));
            CHECK_SUCCESS(MPI_Wait(&reqs[0], MPI_STATUS_IGNORE));
            break;
        case 1:
            buf = -1;
            CHECK_SUCCESS(MPI_Irecv(&buf, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &reqs[0]));
            CHECK_SUCCESS(MPI_Ibarrier(MPI_COMM_WORLD, &reqs[1]));
            CHECK_SUCCESS(MPI_Waitall(2, reqs, MPI_STATUSES_IGNORE));
            CHECK_EQUAL(buf, round);
        }
    }
    return finish();
}
