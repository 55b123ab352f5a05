// poll(), select(), epoll_wait() and their kin. On nothing they are sleeps; with time-out 0 a test,
// which a program repeats in a loop: the others must get on; else a test first.
#include "base/clock.h"
#include "rank/blocking.h"

#include <cstring>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>

namespace thrum {
namespace {

constexpr timespec no_time = {0, 0};

bool is_zero(const timespec *t) {
    return t && t->tv_sec == 0 && t->tv_nsec == 0;
}

// The end of a sleep of which `left_ns` are left.
int interrupted_if(int64_t left_ns) {
    if (left_ns == 0)
        return 0;
    errno = EINTR;
    return -1;
}

// attempt() looks without waiting, wait() is the program's call; both return the number of ready
// descriptors.
template <class Attempt, class Wait>
int wait_for_any(const char *name, bool only_tests, Attempt attempt, Wait wait) MAY_SUSPEND {
    if (waits_in_place())
        return wait();
    int ready = attempt();
    if (ready != 0)
        return ready;
    if (only_tests) {
        let_others_run();
        return 0;
    }
    return blocking(name, wait);
}

int override_poll(pollfd *descriptors, nfds_t count, int timeout_ms) {
    if (!waits_in_place() && count == 0 && timeout_ms >= 0) {
        return interrupted_if(sleep_for(int64_t{timeout_ms} * 1'000'000));
    }
    return wait_for_any(
        "poll", timeout_ms == 0, [=] { return ::poll(descriptors, count, 0); },
        [=] { return ::poll(descriptors, count, timeout_ms); });
}

int override_poll_chk(pollfd *descriptors, nfds_t count, int timeout_ms, size_t room_bytes) {
    if (room_bytes / sizeof(pollfd) < count)
        __chk_fail();
    return override_poll(descriptors, count, timeout_ms);
}

int override_ppoll(pollfd *descriptors, nfds_t count, const timespec *timeout,
                   const sigset_t *mask) {
    if (!waits_in_place() && count == 0 && timeout && !mask && is_valid_duration(*timeout)) {
        return interrupted_if(sleep_for(duration_ns(*timeout)));
    }
    return wait_for_any(
        "ppoll", is_zero(timeout), [=] { return ::ppoll(descriptors, count, &no_time, mask); },
        [=] { return ::ppoll(descriptors, count, timeout, mask); });
}

int override_ppoll_chk(pollfd *descriptors, nfds_t count, const timespec *timeout,
                       const sigset_t *mask, size_t room_bytes) {
    if (room_bytes / sizeof(pollfd) < count)
        __chk_fail();
    return override_ppoll(descriptors, count, timeout, mask);
}

// The three sets of select(), kept: an attempt that finds nothing empties them.
class DescriptorSets {
public:
    DescriptorSets(int count, fd_set *read, fd_set *write, fd_set *except)
        : bytes_((static_cast<size_t>(count) + 63) / 64 * 8), sets_{read, write, except} {
        for (fd_set *set : sets_)
            if (set)
                kept_.append(reinterpret_cast<const char *>(set), bytes_);
    }

    void restore() {
        const char *kept = kept_.data();
        for (fd_set *set : sets_)
            if (set) {
                std::memcpy(set, kept, bytes_);
                kept += bytes_;
            }
    }

private:
    size_t bytes_;
    fd_set *sets_[3];
    std::string kept_;
};

bool no_descriptors(int count, const fd_set *read, const fd_set *write, const fd_set *except) {
    return count == 0 || (!read && !write && !except);
}

int override_select(int count, fd_set *read, fd_set *write, fd_set *except, timeval *timeout) {
    if (waits_in_place() || count < 0)
        return ::select(count, read, write, except, timeout);
    if (timeout && timeout->tv_sec >= 0 && timeout->tv_usec >= 0 &&
        no_descriptors(count, read, write, except)) {
        int64_t left_ns = sleep_for(duration_ns({timeout->tv_sec, timeout->tv_usec * 1000}));
        *timeout = {left_ns / 1'000'000'000, left_ns % 1'000'000'000 / 1000}; // Linux: what is left
        return interrupted_if(left_ns);
    }
    DescriptorSets sets(count, read, write, except);
    bool only_tests = timeout && timeout->tv_sec == 0 && timeout->tv_usec == 0;
    return wait_for_any(
        "select", only_tests,
        [&] {
            timeval zero = {0, 0};
            return ::select(count, read, write, except, &zero);
        },
        [&] {
            sets.restore();
            return ::select(count, read, write, except, timeout);
        });
}

int override_pselect(int count, fd_set *read, fd_set *write, fd_set *except,
                     const timespec *timeout, const sigset_t *mask) {
    if (waits_in_place() || count < 0)
        return ::pselect(count, read, write, except, timeout, mask);
    if (timeout && !mask && is_valid_duration(*timeout) &&
        no_descriptors(count, read, write, except)) {
        return interrupted_if(sleep_for(duration_ns(*timeout)));
    }
    DescriptorSets sets(count, read, write, except);
    return wait_for_any(
        "pselect", is_zero(timeout),
        [&] { return ::pselect(count, read, write, except, &no_time, mask); },
        [&] {
            sets.restore();
            return ::pselect(count, read, write, except, timeout, mask);
        });
}

int override_epoll_wait(int epoll, epoll_event *events, int room, int timeout_ms) {
    return wait_for_any(
        "epoll_wait", timeout_ms == 0, [=] { return ::epoll_wait(epoll, events, room, 0); },
        [=] { return ::epoll_wait(epoll, events, room, timeout_ms); });
}

int override_epoll_pwait(int epoll, epoll_event *events, int room, int timeout_ms,
                         const sigset_t *mask) {
    return wait_for_any(
        "epoll_pwait", timeout_ms == 0, [=] { return ::epoll_pwait(epoll, events, room, 0, mask); },
        [=] { return ::epoll_pwait(epoll, events, room, timeout_ms, mask); });
}

int override_epoll_pwait2(int epoll, epoll_event *events, int room, const timespec *timeout,
                          const sigset_t *mask) {
    return wait_for_any(
        "epoll_pwait2", is_zero(timeout),
        [=] { return ::epoll_pwait(epoll, events, room, 0, mask); },
        [=] { return ::epoll_pwait2(epoll, events, room, timeout, mask); });
}

const FunctionOverride table[] = {
    OVERRIDE("poll", override_poll),
    OVERRIDE("__poll", override_poll),
    OVERRIDE("__poll_chk", override_poll_chk),
    OVERRIDE("ppoll", override_ppoll),
    OVERRIDE("__ppoll_chk", override_ppoll_chk),
    OVERRIDE("select", override_select),
    OVERRIDE("__select", override_select),
    OVERRIDE("pselect", override_pselect),
    OVERRIDE("epoll_wait", override_epoll_wait),
    OVERRIDE("epoll_pwait", override_epoll_pwait),
    OVERRIDE("epoll_pwait2", override_epoll_pwait2),
};

} // namespace

const FunctionFamily blocking_poll_family = FAMILY(table);

} // namespace thrum
