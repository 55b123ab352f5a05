// ranks: 1 8
// POSIX poll(), select(): they tell of the descriptors that they are given. Of 0, 1 and 2 of a rank
// that is what the rank has made of them, here pipes of its own; so it is with epoll.
#define _GNU_SOURCE
#include "check.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <unistd.h>

static int rank;

static int readable_by_poll(void) {
    struct pollfd polled[3] = {{-1, POLLIN, 7}, {0, POLLIN, 7}, {-5, POLLIN, 7}};
    int ready = poll(polled, 3, 0);
    CHECK_EQUAL(polled[0].revents, 0);
    CHECK_EQUAL(polled[1].fd, 0);
    CHECK_EQUAL(ready, polled[1].revents == POLLIN);
    return ready;
}

static int readable_by_select(void) {
    fd_set set;
    FD_ZERO(&set);
    FD_SET(0, &set);
    struct timeval zero = {0, 0};
    int ready = select(1, &set, NULL, NULL, &zero);
    CHECK_EQUAL(ready, FD_ISSET(0, &set) != 0);
    return ready;
}

static int readable_by_pselect(void) {
    fd_set set, none;
    FD_ZERO(&set);
    FD_ZERO(&none);
    FD_SET(0, &set);
    struct timespec zero = {0, 0};
    int ready = pselect(FD_SETSIZE, &set, &none, NULL, &zero, NULL);
    CHECK_EQUAL(ready, FD_ISSET(0, &set) != 0);
    CHECK(!FD_ISSET(0, &none));
    return ready;
}

static int readable_by_epoll(void) {
    int epoll = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = 42}, seen = {0};
    CHECK_EQUAL(epoll_ctl(epoll, EPOLL_CTL_ADD, 0, &event), 0);
    int ready = epoll_wait(epoll, &seen, 1, 0);
    if (ready)
        CHECK_EQUAL(seen.data.fd, 42);
    close(epoll);
    return ready;
}

static void expect_readable(int expected) {
    CHECK_EQUAL(readable_by_poll(), expected);
    CHECK_EQUAL(readable_by_select(), expected);
    CHECK_EQUAL(readable_by_pselect(), expected);
    CHECK_EQUAL(readable_by_epoll(), expected);
}

int main(int argc, char **argv) {
    int ends[2], full[2];
    char byte = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    CHECK_EQUAL(pipe(ends), 0);
    CHECK_EQUAL(dup2(ends[0], 0), 0);
    close(ends[0]);
    MPI_Barrier(MPI_COMM_WORLD);
    expect_readable(0);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank % 2 == 0)
        CHECK_EQUAL(write(ends[1], "x", 1), 1);
    MPI_Barrier(MPI_COMM_WORLD);
    expect_readable(rank % 2 == 0);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank % 2) { // waits, and is woken by its own descriptor
        struct pollfd polled = {0, POLLIN, 0};
        CHECK_EQUAL(poll(&polled, 1, 20), 0);
        CHECK_EQUAL(write(ends[1], "x", 1), 1);
        CHECK_EQUAL(poll(&polled, 1, -1), 1);
        CHECK_EQUAL(polled.revents, POLLIN);
    }
    CHECK_EQUAL(read(0, &byte, 1), 1);
    expect_readable(0);
    // Standard output: a pipe that is full cannot be written to.
    int saved = dup(1);
    CHECK_EQUAL(pipe(full), 0);
    CHECK_EQUAL(dup2(full[1], 1), 1);
    struct pollfd both[2] = {{1, POLLOUT, 0}, {2, POLLOUT, 0}};
    CHECK_EQUAL(poll(both, 1, 0), 1);
    char block[4096];
    memset(block, 'x', sizeof block);
    struct pollfd pipe_end = {full[1], POLLOUT, 0};
    while (poll(&pipe_end, 1, 0) == 1)
        CHECK_EQUAL(write(full[1], block, sizeof block), sizeof block);
    CHECK_EQUAL(poll(both, 1, 0), 0);
    CHECK_EQUAL(dup2(saved, 1), 1);
    // Closed.
    CHECK_EQUAL(close(0), 0);
    struct pollfd closed = {0, POLLIN, 0};
    CHECK_EQUAL(poll(&closed, 1, -1), 1);
    CHECK_EQUAL(closed.revents, POLLNVAL);
    fd_set set;
    FD_ZERO(&set);
    FD_SET(0, &set);
    CHECK_EQUAL(select(1, &set, NULL, NULL, NULL), -1);
    CHECK_EQUAL(errno, EBADF);
    MPI_Finalize();
    return 0;
}
