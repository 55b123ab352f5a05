// MPI 5.0 section 6.7: "The block of data sent from the j-th process is received by every process
// and placed in the j-th block of the buffer recvbuf." Also if a block is longer than what is sent,
// which is an error of the program, a block does not begin in the one before.
// ranks: 4
// options: --check=off
#include "world.h"

static void check_blocks(const int *data, int block) {
    for (int i = 0; i < size; ++i)
        CHECK(data[i * block] == i && data[i * block + 1] == -1);
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    int data[64], counts[16], displacements[16];
    for (int i = 0; i < 64; ++i)
        data[i] = -1;
    for (int i = 0; i < size; ++i) {
        counts[i] = 3;
        displacements[i] = 3 * i;
    }
    CHECK_SUCCESS(MPI_Allgather(&rank, 1, MPI_INT, data, 3, MPI_INT, MPI_COMM_WORLD));
    check_blocks(data, 3);
    CHECK_SUCCESS(
        MPI_Allgatherv(&rank, 1, MPI_INT, data, counts, displacements, MPI_INT, MPI_COMM_WORLD));
    check_blocks(data, 3);
    MPI_Request request;
    CHECK_SUCCESS(MPI_Iallgather(&rank, 1, MPI_INT, data, 3, MPI_INT, MPI_COMM_WORLD, &request));
    CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
    check_blocks(data, 3);
    return finish();
}
