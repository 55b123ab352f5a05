// poll(), select(), epoll_wait() and related functions.
//
// With nothing to wait for they are sleeps. With time-out 0 they are a test, which a program
// repeats in a loop, so other ranks get a turn at each. Otherwise a test comes first, and then the
// call on a spare worker. Descriptors 0, 1 and 2 are what the rank has made of them, so the
// arguments are translated (RealPoll, DescriptorSets).
#include "base/clock.h"
#include "libc/blocking.h"
#include "libc/libc_state.h"
#include "libc/sleep.h"
#include "libc/standard_descriptors.h"

#include <algorithm>
#include <climits>
#include <cstring>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <unistd.h>
#include <vector>

namespace thrum {
namespace {

constexpr timespec no_time = {0, 0};

bool is_zero(const timespec *t) {
    return t && t->tv_sec == 0 && t->tv_nsec == 0;
}

// Returns the result of a sleep of which `left_ns` are left: 0, or -1 with EINTR.
int interrupted_if(int64_t left_ns) {
    if (left_ns == 0)
        return 0;
    errno = EINTR;
    return -1;
}

// Runs a call that waits for descriptors. attempt() looks without waiting, wait() is the program's
// call; both return the number of ready descriptors.
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

// The argument of poll(), with the descriptors as they are in the process's table. The destructor
// gives the results to the program.
class RealPoll {
public:
    RealPoll(pollfd *asked, nfds_t count) : asked_(asked) {
        nfds_t i = 0;
        while (i < count && real(asked[i].fd) == asked[i].fd)
            ++i;
        if (i == count)
            return; // as nearly always
        real_.assign(asked, asked + count);
        for (pollfd &d : real_)
            d.fd = real(d.fd);
    }

    ~RealPoll() {
        for (size_t i = 0; i < real_.size(); ++i)
            asked_[i].revents = real_[i].revents;
    }

    RealPoll(const RealPoll &) = delete;
    RealPoll &operator=(const RealPoll &) = delete;

    pollfd *descriptors() { return real_.empty() ? asked_ : real_.data(); }

private:
    static int real(int descriptor) {
        int real = real_descriptor(descriptor);
        return real < 0 && descriptor >= 0 ? INT_MAX : real; // closed: POLLNVAL, which -1 is not
    }

    pollfd *asked_;
    std::vector<pollfd> real_; // empty: nothing differs
};

// Without descriptors and with a time-out it is a sleep, for which no spare worker is needed.
int override_poll(pollfd *descriptors, nfds_t count, int timeout_ms) MAY_SUSPEND {
    if (!waits_in_place() && count == 0 && timeout_ms >= 0) {
        return interrupted_if(sleep_for(int64_t{timeout_ms} * 1'000'000));
    }
    RealPoll real(descriptors, count);
    return wait_for_any(
        "poll", timeout_ms == 0, [&] { return ::poll(real.descriptors(), count, 0); },
        [&] { return ::poll(real.descriptors(), count, timeout_ms); });
}

int override_poll_chk(pollfd *descriptors, nfds_t count, int timeout_ms,
                      size_t room_bytes) MAY_SUSPEND {
    if (room_bytes / sizeof(pollfd) < count)
        __chk_fail();
    return override_poll(descriptors, count, timeout_ms);
}

int override_ppoll(pollfd *descriptors, nfds_t count, const timespec *timeout,
                   const sigset_t *mask) MAY_SUSPEND {
    if (!waits_in_place() && count == 0 && timeout && !mask && is_valid_duration(*timeout)) {
        return interrupted_if(sleep_for(duration_ns(*timeout)));
    }
    RealPoll real(descriptors, count);
    return wait_for_any(
        "ppoll", is_zero(timeout),
        [&] { return ::ppoll(real.descriptors(), count, &no_time, mask); },
        [&] { return ::ppoll(real.descriptors(), count, timeout, mask); });
}

int override_ppoll_chk(pollfd *descriptors, nfds_t count, const timespec *timeout,
                       const sigset_t *mask, size_t room_bytes) MAY_SUSPEND {
    if (room_bytes / sizeof(pollfd) < count)
        __chk_fail();
    return override_ppoll(descriptors, count, timeout, mask);
}

// The three sets of select() with the descriptors as they are in the process's table, which may be
// above FD_SETSIZE. They are made anew for each attempt, because one that finds nothing empties
// them.
class DescriptorSets {
public:
    DescriptorSets(int count, fd_set *read, fd_set *write, fd_set *except)
        : asked_count_(count), count_(count), asked_{read, write, except} {
        for (int d = 0; d <= STDERR_FILENO && d < count; ++d) {
            real_[d] = real_descriptor(d);
            bool wanted =
                std::any_of(asked_, asked_ + 3, [d](fd_set *set) { return is_in(set, d); });
            if (wanted)
                count_ = std::max(count_, real_[d] + 1);
            is_bad_ |= wanted && real_[d] < 0;
        }
    }

    // Whether a set contains a descriptor that the rank has closed: EBADF.
    bool is_bad() const { return is_bad_; }

    int count() const { return count_; }

    // Returns set `which` (0 to 2: read, write, except) for an attempt; nullptr if the program has
    // none.
    fd_set *make(int which) {
        if (!asked_[which])
            return nullptr;
        std::vector<unsigned long> &words = words_[which];
        words.assign(static_cast<size_t>(count_) / bits + 1, 0);
        std::memcpy(words.data(), asked_[which], bytes_asked());
        for (int d = 0; d <= STDERR_FILENO && d < asked_count_; ++d)
            words[0] &= ~(1ul << d);
        for (int d = 0; d <= STDERR_FILENO && d < asked_count_; ++d)
            if (is_in(asked_[which], d))
                words[static_cast<size_t>(real_[d]) / bits] |=
                    1ul << static_cast<size_t>(real_[d]) % bits;
        return reinterpret_cast<fd_set *>(words.data());
    }

    // Makes the program's sets what the last attempt has found.
    void give_back() {
        for (int which = 0; which < 3; ++which) {
            if (!asked_[which])
                continue;
            const std::vector<unsigned long> &words = words_[which];
            unsigned long standard = 0;
            for (int d = 0; d <= STDERR_FILENO && d < asked_count_; ++d) {
                auto real = static_cast<size_t>(real_[d]);
                if (is_in(asked_[which], d) && (words[real / bits] >> real % bits & 1))
                    standard |= 1ul << d;
            }
            unsigned long first = words[0];
            for (int d = 0; d <= STDERR_FILENO; ++d)
                first &= ~(1ul << d);
            std::memcpy(asked_[which], words.data(), bytes_asked());
            if (asked_count_ > 0)
                asked_[which]->fds_bits[0] = static_cast<long>(first | standard);
        }
    }

private:
    static constexpr size_t bits = 8 * sizeof(unsigned long);

    static bool is_in(const fd_set *set, int d) { return set && (set->fds_bits[0] >> d & 1); }

    size_t bytes_asked() const {
        return (static_cast<size_t>(asked_count_) + bits - 1) / bits * sizeof(unsigned long);
    }

    int asked_count_, count_; // the program's first argument, and ours
    fd_set *asked_[3];
    int real_[STDERR_FILENO + 1] = {}; // of 0, 1 and 2
    bool is_bad_ = false;
    std::vector<unsigned long> words_[3];
};

int bad_descriptor() {
    errno = EBADF;
    return -1;
}

// Returns whether select() only sleeps.
bool no_descriptors(int count, const fd_set *read, const fd_set *write, const fd_set *except) {
    return count == 0 || (!read && !write && !except);
}

int override_select(int count, fd_set *read, fd_set *write, fd_set *except,
                    timeval *timeout) MAY_SUSPEND {
    if (waits_in_place() || count < 0)
        return ::select(count, read, write, except, timeout);
    if (timeout && timeout->tv_sec >= 0 && timeout->tv_usec >= 0 &&
        no_descriptors(count, read, write, except)) {
        int64_t left_ns = sleep_for(duration_ns({timeout->tv_sec, timeout->tv_usec * 1000}));
        *timeout = {left_ns / 1'000'000'000, left_ns % 1'000'000'000 / 1000}; // Linux: what is left
        return interrupted_if(left_ns);
    }
    DescriptorSets sets(count, read, write, except);
    if (sets.is_bad())
        return bad_descriptor();
    bool only_tests = timeout && timeout->tv_sec == 0 && timeout->tv_usec == 0;
    int ready = wait_for_any(
        "select", only_tests,
        [&] {
            timeval zero = {0, 0};
            return ::select(sets.count(), sets.make(0), sets.make(1), sets.make(2), &zero);
        },
        [&] { return ::select(sets.count(), sets.make(0), sets.make(1), sets.make(2), timeout); });
    if (ready >= 0)
        sets.give_back();
    return ready;
}

int override_pselect(int count, fd_set *read, fd_set *write, fd_set *except,
                     const timespec *timeout, const sigset_t *mask) MAY_SUSPEND {
    if (waits_in_place() || count < 0)
        return ::pselect(count, read, write, except, timeout, mask);
    if (timeout && !mask && is_valid_duration(*timeout) &&
        no_descriptors(count, read, write, except)) {
        return interrupted_if(sleep_for(duration_ns(*timeout)));
    }
    DescriptorSets sets(count, read, write, except);
    if (sets.is_bad())
        return bad_descriptor();
    auto select = [&](const timespec *time) {
        return ::pselect(sets.count(), sets.make(0), sets.make(1), sets.make(2), time, mask);
    };
    int ready = wait_for_any(
        "pselect", is_zero(timeout), [&] { return select(&no_time); },
        [&] { return select(timeout); });
    if (ready >= 0)
        sets.give_back();
    return ready;
}

int override_epoll_wait(int epoll, epoll_event *events, int room, int timeout_ms) MAY_SUSPEND {
    epoll = real_descriptor(epoll);
    return wait_for_any(
        "epoll_wait", timeout_ms == 0, [=] { return ::epoll_wait(epoll, events, room, 0); },
        [=] { return ::epoll_wait(epoll, events, room, timeout_ms); });
}

int override_epoll_pwait(int epoll, epoll_event *events, int room, int timeout_ms,
                         const sigset_t *mask) MAY_SUSPEND {
    epoll = real_descriptor(epoll);
    return wait_for_any(
        "epoll_pwait", timeout_ms == 0, [=] { return ::epoll_pwait(epoll, events, room, 0, mask); },
        [=] { return ::epoll_pwait(epoll, events, room, timeout_ms, mask); });
}

// The attempt is epoll_pwait() with time-out 0, which means the same.
int override_epoll_pwait2(int epoll, epoll_event *events, int room, const timespec *timeout,
                          const sigset_t *mask) MAY_SUSPEND {
    epoll = real_descriptor(epoll);
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

LIBC_FUNCTIONS(table);

} // namespace thrum
