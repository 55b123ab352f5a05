// MPI 5.0 section 11.9.2: MPI_COMM_ACCEPT: "It is collective over the calling communicator. It
// returns an inter-communicator that allows communication with the client." Section 11.9.3:
// MPI_COMM_CONNECT: "It is collective over the calling communicator and returns an
// inter-communicator in which the remote group participated in an MPI_COMM_ACCEPT."
// ranks: 2 5
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int is_server = rank < size / 2, own, remote, local;
    MPI_Comm half, other;
    char port[MPI_MAX_PORT_NAME] = "";
    MPI_Comm_split(MPI_COMM_WORLD, is_server, rank, &half);
    MPI_Comm_rank(half, &own);
    MPI_Comm_size(half, &local);
    for (int round = 0; round < 3; ++round) {
        if (rank == 0)
            CHECK_SUCCESS(MPI_Open_port(MPI_INFO_NULL, port));
        CHECK_SUCCESS(MPI_Bcast(port, sizeof port, MPI_CHAR, 0, MPI_COMM_WORLD));
        CHECK(*port && !strchr(port, ' '));
        int root = local - 1; // the port's name is significant there
        const char *name = own == root ? port : NULL;
        if (is_server)
            CHECK_SUCCESS(MPI_Comm_accept(name, MPI_INFO_NULL, root, half, &other));
        else
            CHECK_SUCCESS(MPI_Comm_connect(name, MPI_INFO_NULL, root, half, &other));
        MPI_Comm_remote_size(other, &remote);
        CHECK_EQUAL(remote, size - local);
        int sum = -1, of_servers = (size / 2) * (size / 2 - 1) / 2;
        CHECK_SUCCESS(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, other));
        CHECK_EQUAL(sum, is_server ? size * (size - 1) / 2 - of_servers : of_servers);
        CHECK_SUCCESS(MPI_Comm_disconnect(&other));
        if (rank == 0)
            CHECK_SUCCESS(MPI_Close_port(port));
    }
    MPI_Comm_free(&half);
    return finish();
}
