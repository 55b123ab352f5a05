// MPI 5.0 section 11.10.5: "This call creates an inter-communicator from the union of two MPI
// processes that are connected by a socket." "Upon return from MPI_COMM_JOIN, the file descriptor
// will be open and quiescent (see below)." "If MPI is unable to create an inter-communicator, but
// is able to leave the socket in its original state, with no pending communication, it succeeds and
// sets intercomm to MPI_COMM_NULL."
// ranks: 2 6
#include "joined.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    int ends[2] = {-1, -1}, fd, partner = rank ^ 1;
    // Even ranks make the socket; descriptors are the process's.
    if (rank % 2 == 0) {
        CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
        fd = ends[0];
        MPI_Send(&ends[1], 1, MPI_INT, partner, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&fd, 1, MPI_INT, partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    join_several_times(fd, partner);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm none = MPI_COMM_WORLD;
    CHECK_ERROR(MPI_Comm_join(-1, &none), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Comm_join(1, &none), MPI_ERR_ARG);
    close(fd);
    return finish();
}
