// MPI 5.0 section 11.10.5: "MPI_COMM_JOIN is intended for MPI implementations that exist in an
// environment supporting the Berkeley Socket interface". "This call creates an inter-communicator
// from the union of two MPI processes that are connected by a socket." The ranks may be in one
// process or in several.
// ranks: 2 6
#include "joined.h"

#include <sys/un.h>

// The connected end of the pair's socket.
static int meet_partner(int partner) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    CHECK(fd >= 0);
    if (rank < partner) {
        int process = (int)getpid();
        snprintf(address.sun_path, sizeof address.sun_path, "/tmp/thrum-join-%d-%d", process, rank);
        CHECK(bind(fd, (struct sockaddr *)&address, sizeof address) == 0 && listen(fd, 1) == 0);
        CHECK_SUCCESS(MPI_Send(&process, 1, MPI_INT, partner, 0, MPI_COMM_WORLD));
        int connected = accept(fd, NULL, NULL);
        CHECK(connected >= 0);
        unlink(address.sun_path);
        close(fd);
        return connected;
    }
    int process;
    CHECK_SUCCESS(MPI_Recv(&process, 1, MPI_INT, partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    snprintf(address.sun_path, sizeof address.sun_path, "/tmp/thrum-join-%d-%d", process, partner);
    CHECK(connect(fd, (struct sockaddr *)&address, sizeof address) == 0);
    return fd;
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    int partner = size - 1 - rank, fd = meet_partner(partner);
    join_several_times(fd, partner);
    close(fd);
    return finish();
}
