// MPI 5.0 section 11.9.2: "MPI_COMM_ACCEPT establishes communication with a client. It is
// collective over the calling communicator." With two ranks in each process the roots of both
// groups, ranks 0 and 1, are in the same one, and the other members elsewhere.
// ranks: 2 6
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    char port[MPI_MAX_PORT_NAME] = "";
    if (rank == 0)
        CHECK_SUCCESS(MPI_Open_port(MPI_INFO_NULL, port));
    CHECK_SUCCESS(MPI_Bcast(port, sizeof port, MPI_CHAR, 0, MPI_COMM_WORLD));
    MPI_Comm half, other, all;
    CHECK_SUCCESS(MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half));
    for (int i = 0; i < 3; ++i) {
        if (rank % 2 == 0)
            CHECK_SUCCESS(MPI_Comm_accept(port, MPI_INFO_NULL, 0, half, &other));
        else
            CHECK_SUCCESS(MPI_Comm_connect(port, MPI_INFO_NULL, 0, half, &other));
        int sum = -1, others = 0;
        CHECK_SUCCESS(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, other));
        for (int r = 1 - rank % 2; r < size; r += 2)
            others += r;
        CHECK_EQUAL(sum, others);
        CHECK_SUCCESS(MPI_Intercomm_merge(other, rank % 2, &all));
        CHECK_SUCCESS(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, all));
        CHECK_EQUAL(sum, size * (size - 1) / 2);
        CHECK_SUCCESS(MPI_Comm_free(&all));
        CHECK_SUCCESS(MPI_Comm_disconnect(&other));
    }
    if (rank == 0)
        CHECK_SUCCESS(MPI_Close_port(port));
    CHECK_SUCCESS(MPI_Comm_free(&half));
    return finish();
}
