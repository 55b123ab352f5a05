// MPI 5.0 section 5.2: "A packing unit can be sent using type MPI_PACKED"; "a message sent with any
// type (including MPI_PACKED) can be received using the type MPI_PACKED. Such a message can then be
// unpacked by calls to MPI_UNPACK."
// ranks: 2
#include "messages.h"

int main(void) {
    start(NULL, NULL);
    char buffer[200];
    int position = 0, count = 3, got_count = 0;
    double values[3] = {1.5, -2.25, 1e300}, got[3] = {0};
    if (rank == 0) {
        MPI_Pack(&count, 1, MPI_INT, buffer, sizeof buffer, &position, MPI_COMM_WORLD);
        MPI_Pack(values, 3, MPI_DOUBLE, buffer, sizeof buffer, &position, MPI_COMM_WORLD);
        int needed[2] = {0, 0};
        MPI_Pack_size(1, MPI_INT, MPI_COMM_WORLD, &needed[0]);
        MPI_Pack_size(3, MPI_DOUBLE, MPI_COMM_WORLD, &needed[1]);
        CHECK(position <= needed[0] + needed[1]);
        MPI_Send(buffer, position, MPI_PACKED, 1, 0, MPI_COMM_WORLD);
        // An ordinary message, received as packed.
        MPI_Send(values, 3, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD);
    } else {
        MPI_Recv(buffer, sizeof buffer, MPI_PACKED, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Unpack(buffer, sizeof buffer, &position, &got_count, 1, MPI_INT, MPI_COMM_WORLD);
        CHECK_EQUAL(got_count, 3);
        MPI_Unpack(buffer, sizeof buffer, &position, got, 3, MPI_DOUBLE, MPI_COMM_WORLD);
        for (int i = 0; i < 3; ++i)
            CHECK(got[i] == values[i]);
        MPI_Recv(buffer, sizeof buffer, MPI_PACKED, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        position = 0;
        MPI_Unpack(buffer, sizeof buffer, &position, &got[2], 1, MPI_DOUBLE, MPI_COMM_WORLD);
        CHECK(got[2] == 1.5);
    }
    MPI_Finalize();
    return 0;
}
