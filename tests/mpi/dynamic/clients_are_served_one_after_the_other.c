// MPI 5.0 section 11.9.3: "a high-quality implementation will try to queue connection attempts so
// that a server can handle simultaneous requests from several clients."
// ranks: 2 6
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    char port[MPI_MAX_PORT_NAME] = "";
    MPI_Comm other;
    if (rank == 0)
        CHECK_SUCCESS(MPI_Open_port(MPI_INFO_NULL, port));
    MPI_Bcast(port, sizeof port, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        int seen = 0;
        for (int i = 1; i < size; ++i) {
            int client = -1;
            CHECK_SUCCESS(MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other));
            CHECK_SUCCESS(MPI_Recv(&client, 1, MPI_INT, 0, 1, other, MPI_STATUS_IGNORE));
            seen |= 1 << client;
            client += 100;
            CHECK_SUCCESS(MPI_Send(&client, 1, MPI_INT, 0, 2, other));
            CHECK_SUCCESS(MPI_Comm_disconnect(&other));
        }
        CHECK_EQUAL(seen, (1 << size) - 2);
        CHECK_SUCCESS(MPI_Close_port(port));
    } else {
        int answer = -1;
        CHECK_SUCCESS(MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other));
        CHECK_SUCCESS(MPI_Send(&rank, 1, MPI_INT, 0, 1, other));
        CHECK_SUCCESS(MPI_Recv(&answer, 1, MPI_INT, 0, 2, other, MPI_STATUS_IGNORE));
        CHECK_EQUAL(answer, 100 + rank);
        CHECK_SUCCESS(MPI_Comm_disconnect(&other));
    }
    return finish();
}
