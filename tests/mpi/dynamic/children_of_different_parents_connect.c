// MPI 5.0 section 11.9: "This section provides functions that establish communication between two
// sets of MPI processes that do not share a communicator." Two sets of children, of which neither
// knows of the other, meet at a port.
// ranks: 1
// ends: n + 5
#include "dynamic.h"

int main(int argc, char **argv) {
    start_family(&argc, &argv);
    char port[MPI_MAX_PORT_NAME] = "";
    MPI_Comm other;
    if (is_child() && strcmp(argv[1], "server") == 0) {
        if (rank == 0) {
            CHECK_SUCCESS(MPI_Open_port(MPI_INFO_NULL, port));
            CHECK_SUCCESS(MPI_Send(port, sizeof port, MPI_CHAR, 0, 1, parent));
        }
        CHECK_SUCCESS(MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other));
        if (rank == 0)
            CHECK_SUCCESS(MPI_Close_port(port));
    } else if (is_child()) {
        if (rank == 0)
            CHECK_SUCCESS(MPI_Recv(port, sizeof port, MPI_CHAR, 0, 1, parent, MPI_STATUS_IGNORE));
        CHECK_SUCCESS(MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other));
    } else {
        MPI_Comm servers = spawn_self(argv[0], "server", 2);
        MPI_Comm clients = spawn_self(argv[0], "client", 3);
        CHECK_SUCCESS(MPI_Recv(port, sizeof port, MPI_CHAR, 0, 1, servers, MPI_STATUS_IGNORE));
        CHECK_SUCCESS(MPI_Send(port, sizeof port, MPI_CHAR, 0, 1, clients));
        CHECK_SUCCESS(MPI_Comm_disconnect(&servers));
        CHECK_SUCCESS(MPI_Comm_disconnect(&clients));
        return finish();
    }
    int remote, sum = -1;
    MPI_Comm_remote_size(other, &remote);
    CHECK_EQUAL(remote, 5 - size);
    CHECK_SUCCESS(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, other));
    CHECK_EQUAL(sum, remote * (remote - 1) / 2);
    CHECK_SUCCESS(MPI_Comm_disconnect(&other));
    return part_from(&parent);
}
