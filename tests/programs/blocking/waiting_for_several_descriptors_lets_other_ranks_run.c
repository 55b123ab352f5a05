// ranks: 2 8
// timeout: 30
// poll, ppoll, select, pselect and epoll_wait on an eventfd that another rank of the worker raises;
// with and without time-out, and as a test in a loop.
#define _GNU_SOURCE
#include "pairs.h"

#include <poll.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { WAYS = 11 };

static void await(int descriptor, int epoll, int way) {
    struct pollfd entry = {descriptor, POLLIN, 0};
    struct timespec limit = {100, 0};
    struct timeval old_limit = {100, 0};
    struct epoll_event event;
    fd_set set;
    FD_ZERO(&set);
    FD_SET(descriptor, &set);
    switch (way) {
    case 0:
        CHECK_EQUAL(poll(&entry, 1, -1), 1);
        CHECK(entry.revents & POLLIN);
        break;
    case 1:
        CHECK_EQUAL(poll(&entry, 1, 100000), 1);
        break;
    case 2:
        CHECK_EQUAL(ppoll(&entry, 1, &limit, NULL), 1);
        break;
    case 3:
        CHECK_EQUAL(select(descriptor + 1, &set, NULL, NULL, NULL), 1);
        CHECK(FD_ISSET(descriptor, &set));
        break;
    case 4:
        CHECK_EQUAL(select(descriptor + 1, &set, NULL, NULL, &old_limit), 1);
        CHECK(FD_ISSET(descriptor, &set));
        CHECK(old_limit.tv_sec >= 90);
        break;
    case 5:
        CHECK_EQUAL(pselect(descriptor + 1, &set, NULL, NULL, &limit, NULL), 1);
        CHECK(FD_ISSET(descriptor, &set));
        break;
    case 6:
        CHECK_EQUAL(epoll_wait(epoll, &event, 1, -1), 1);
        CHECK_EQUAL(event.data.fd, descriptor);
        break;
    case 7:
        CHECK_EQUAL(epoll_pwait(epoll, &event, 1, 100000, NULL), 1);
        break;
    case 8:
        while (poll(&entry, 1, 0) == 0) {
        }
        break;
    case 9:
        while (epoll_wait(epoll, &event, 1, 0) == 0) {
        }
        break;
    default:
        break; // read() waits
    }
    uint64_t value = 0;
    CHECK_EQUAL(read(descriptor, &value, sizeof value), sizeof value);
    CHECK_EQUAL(value, 1 + way);
}

int main(int argc, char **argv) {
    start_pairs(&argc, &argv);
    int descriptors[2];
    if (is_first) {
        descriptors[0] = eventfd(0, 0);
        descriptors[1] = eventfd(0, 0);
    }
    share(descriptors, 2);
    int mine = descriptors[!is_first], others = descriptors[is_first];
    int epoll = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = mine};
    CHECK_EQUAL(epoll_ctl(epoll, EPOLL_CTL_ADD, mine, &event), 0);
    for (int round = 0; round < 5 * WAYS; ++round) {
        int way = round % WAYS;
        uint64_t value = (uint64_t)(1 + way);
        if (is_first)
            await(mine, epoll, way);
        CHECK_EQUAL(write(others, &value, sizeof value), sizeof value);
        if (!is_first)
            await(mine, epoll, way);
    }

    // A time-out passes.
    struct pollfd entry = {mine, POLLIN, 0};
    CHECK_EQUAL(poll(&entry, 1, 20), 0);
    fd_set set;
    FD_ZERO(&set);
    FD_SET(mine, &set);
    struct timeval limit = {0, 20000};
    CHECK_EQUAL(select(mine + 1, &set, NULL, NULL, &limit), 0);
    CHECK(!FD_ISSET(mine, &set));
    CHECK_EQUAL(epoll_wait(epoll, &event, 1, 20), 0);
    int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    struct itimerspec when = {.it_value = {0, 20000000}};
    CHECK_EQUAL(timerfd_settime(timer, 0, &when, NULL), 0);
    uint64_t expirations = 0;
    CHECK_EQUAL(read(timer, &expirations, sizeof expirations), sizeof expirations);
    CHECK_EQUAL(expirations, 1);
    return finish();
}
