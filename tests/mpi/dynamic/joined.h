// For whole-program tests of MPI_Comm_join.
#ifndef THRUM_TESTS_JOINED_H
#define THRUM_TESTS_JOINED_H
#include "world.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

// `fd` is connected with `partner`, who calls this, too: they join, exchange a message, and part,
// several times. The socket is left open and quiescent.
static inline void join_several_times(int fd, int partner) {
    for (int i = 0; i < 3; ++i) {
        MPI_Comm joined = MPI_COMM_NULL;
        int local, remote, got = -1;
        CHECK_SUCCESS(MPI_Comm_join(fd, &joined));
        CHECK(joined != MPI_COMM_NULL);
        MPI_Comm_size(joined, &local);
        MPI_Comm_remote_size(joined, &remote);
        CHECK(local == 1 && remote == 1);
        CHECK_SUCCESS(MPI_Sendrecv(&rank, 1, MPI_INT, 0, 0, &got, 1, MPI_INT, 0, 0, joined,
                                   MPI_STATUS_IGNORE));
        CHECK_EQUAL(got, partner);
        struct pollfd quiet = {fd, POLLIN, 0};
        CHECK(poll(&quiet, 1, 0) == 0);
        CHECK_SUCCESS(MPI_Comm_disconnect(&joined));
    }
}
#endif
