// Waiting for time only parks the rank (libc/sleep.h): its worker runs others meanwhile. A sleep is
// a wait for a signal with a deadline, so a handler ends it, as POSIX asks.
#include "libc/sleep.h"

#include "base/clock.h"
#include "libc/libc_state.h"
#include "libc/signals.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <sched.h>
#include <threads.h>
#include <unistd.h>

namespace thrum {

constexpr int64_t second_ns = 1'000'000'000;

// Saturates, so that a sum with the present time does not overflow.
int64_t duration_ns(const timespec &t) {
    if (t.tv_sec > INT64_MAX / second_ns - 1)
        return INT64_MAX / 2;
    return static_cast<int64_t>(t.tv_sec) * second_ns + t.tv_nsec;
}

bool is_valid_duration(const timespec &t) {
    return t.tv_sec >= 0 && t.tv_nsec >= 0 && t.tv_nsec < second_ns;
}

int64_t sleep_for(int64_t duration_ns) MAY_SUSPEND {
    if (duration_ns <= 0) {
        yield();
        return 0;
    }
    int64_t now = now_ns();
    int64_t deadline_ns = duration_ns < INT64_MAX - now ? now + duration_ns : INT64_MAX;
    if (!wait_for_signal(deadline_ns))
        return 0;
    return std::max<int64_t>(deadline_ns - now_ns(), 1);
}

namespace {

// The result of a sleep that a handler has ended.
int interrupted() {
    errno = EINTR;
    return -1;
}

timespec to_timespec(int64_t ns) {
    return {static_cast<time_t>(ns / second_ns), static_cast<long>(ns % second_ns)};
}

unsigned override_sleep(unsigned seconds) MAY_SUSPEND {
    if (cannot_park())
        return ::sleep(seconds);
    int64_t left_ns = sleep_for(static_cast<int64_t>(seconds) * second_ns);
    return static_cast<unsigned>((left_ns + second_ns / 2) / second_ns); // rounded, as glibc does
}

int override_usleep(useconds_t microseconds) MAY_SUSPEND {
    if (cannot_park())
        return ::usleep(microseconds);
    return sleep_for(static_cast<int64_t>(microseconds) * 1000) ? interrupted() : 0;
}

int override_nanosleep(const timespec *duration, timespec *remaining) MAY_SUSPEND {
    if (cannot_park())
        return ::nanosleep(duration, remaining);
    if (!is_valid_duration(*duration)) {
        errno = EINVAL;
        return -1;
    }
    int64_t left_ns = sleep_for(duration_ns(*duration));
    if (!left_ns)
        return 0;
    if (remaining)
        *remaining = to_timespec(left_ns);
    return interrupted();
}

// A time of the real-time clock is converted to a duration once: setting the clock during the sleep
// does not change it.
int override_clock_nanosleep(clockid_t clock, int flags, const timespec *time,
                             timespec *remaining) MAY_SUSPEND {
    bool knows_clock = clock == CLOCK_MONOTONIC || clock == CLOCK_REALTIME ||
                       clock == CLOCK_BOOTTIME || clock == CLOCK_TAI;
    if (cannot_park() || !knows_clock || !is_valid_duration(*time))
        return ::clock_nanosleep(clock, flags, time, remaining); // which also knows the errors
    int64_t wanted_ns = duration_ns(*time);
    if (flags & TIMER_ABSTIME) {
        timespec now;
        clock_gettime(clock, &now);
        wanted_ns -= duration_ns(now);
    }
    int64_t left_ns = sleep_for(wanted_ns);
    if (left_ns && remaining && !(flags & TIMER_ABSTIME))
        *remaining = to_timespec(left_ns);
    return left_ns ? EINTR : 0;
}

int override_thrd_sleep(const timespec *duration, timespec *remaining) MAY_SUSPEND {
    // C11: -1 interrupted, another negative number: failure
    return override_nanosleep(duration, remaining) == 0 ? 0 : errno == EINTR ? -1 : -2;
}

int override_sched_yield() MAY_SUSPEND {
    if (cannot_park())
        return ::sched_yield();
    yield();
    return 0;
}

void override_thrd_yield() MAY_SUSPEND {
    override_sched_yield();
}

const FunctionOverride table[] = {
    OVERRIDE("sleep", override_sleep),
    OVERRIDE("usleep", override_usleep),
    OVERRIDE("nanosleep", override_nanosleep),
    OVERRIDE("__nanosleep", override_nanosleep),
    OVERRIDE("clock_nanosleep", override_clock_nanosleep),
    OVERRIDE("thrd_sleep", override_thrd_sleep),
    OVERRIDE("sched_yield", override_sched_yield),
    OVERRIDE("__sched_yield", override_sched_yield),
    OVERRIDE("pthread_yield", override_sched_yield),
    OVERRIDE("thrd_yield", override_thrd_yield),
};

} // namespace

LIBC_FUNCTIONS(table);

} // namespace thrum
