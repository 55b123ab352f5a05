// alarm(), setitimer() and timer_create() of a rank. The kernel has one of each timer for the
// process; here the signal thread (libc/signals.h) keeps them all.
//
// Each timer has an Alarm. When it is due, the signal thread calls fire(), which sends the signal
// or starts a thread, and returns the time of the next look. A timer of CPU time (ITIMER_VIRTUAL,
// ITIMER_PROF, CLOCK_PROCESS_CPUTIME_ID) is looked at when it could be due at the earliest: CPU
// time does not pass faster than the rank runs.
//
// A rank's timers are made by the first call that needs one. They are never freed, because the
// signal thread keeps the addresses of alarms.
#include "base/clock.h"
#include "fiber/threads_of_ranks.h"
#include "libc/cpu_time.h"
#include "libc/forked_child.h"
#include "libc/libc_state.h"
#include "libc/signals.h"
#include "libc/threads.h"
#include "rank/job.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <deque>
#include <pthread.h>
#include <sys/time.h>
#include <unistd.h>

namespace thrum {

namespace {

constexpr int64_t second_ns = 1'000'000'000;

// One timer. Its lock is taken with signals held; fire() runs on the signal thread.
struct RankTimer {
    Alarm alarm; // first: fire() finds the timer from it
    Rank *rank = nullptr;
    clockid_t clock = CLOCK_MONOTONIC;
    bool exists = true;           // false after timer_delete(): the next timer_create() may use it
    SpinLock lock;                // guards `due_ns` and `interval_ns`
    int64_t due_ns = 0;           // of its clock; 0: not armed
    int64_t interval_ns = 0;      // 0: once
    sigevent event = {};          // what happens when it is due
    int code = SI_TIMER;          // si_code of its signal
    int number = 0;               // its timer_t; 0 for setitimer()
    std::atomic<int> overruns{0}; // expirations since the last signal that were not sent
};

bool is_cpu_clock(clockid_t clock) {
    return clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID;
}

int64_t to_ns(const timespec &t) {
    return static_cast<int64_t>(t.tv_sec) * second_ns + t.tv_nsec;
}

timespec to_timespec(int64_t ns) {
    return {static_cast<time_t>(ns / second_ns), static_cast<long>(ns % second_ns)};
}

// Returns the present time of the timer's clock.
int64_t time_of(const RankTimer &timer) {
    if (is_cpu_clock(timer.clock))
        return cpu_time_ns(*timer.rank);
    timespec now = {};
    ::clock_gettime(timer.clock, &now);
    return to_ns(now);
}

// Returns when to look at the timer again, on the monotonic clock. `due_ns` and `present_ns` are of
// its own clock.
int64_t look_at(int64_t due_ns, int64_t present_ns) {
    return now_ns() + std::max<int64_t>(due_ns - present_ns, 1);
}

// What a SIGEV_THREAD timer's new thread is to call.
struct TimerThreadStart {
    void (*function)(sigval);
    sigval value;
};

void *run_timer_function(void *argument) {
    TimerThreadStart start = *static_cast<TimerThreadStart *>(argument);
    delete static_cast<TimerThreadStart *>(argument);
    start.function(start.value);
    return nullptr;
}

// Does what the timer's event asks for. A signal that the rank has not taken yet is not sent again
// but counted as an overrun. Without the timer's lock, since send_to_rank() takes others.
void notify(RankTimer &timer) {
    if (timer.event.sigev_notify == SIGEV_NONE)
        return;
    if (timer.event.sigev_notify == SIGEV_THREAD) {
        auto *start =
            new TimerThreadStart{timer.event.sigev_notify_function, timer.event.sigev_value};
        if (start_thread_of(*timer.rank, &run_timer_function, start) != 0)
            delete start;
        return;
    }
    int signal = timer.event.sigev_signo;
    SignalState &state = state_of(rank_signals_of(libc_of(*timer.rank)));
    // The signal of the last expiration is still pending.
    if (state.pending.load(std::memory_order_relaxed) & set_of(signal)) {
        timer.overruns.fetch_add(1, std::memory_order_relaxed);
        return;
    }
    siginfo_t info = {};
    info.si_signo = signal;
    info.si_code = timer.code;
    if (timer.code == SI_TIMER) {
        info.si_timerid = timer.number;
        info.si_value = timer.event.sigev_value;
    }
    send_to_rank(*timer.rank, info);
}

// Called by the signal thread when the alarm is due. Returns when to call again, 0: never. Missed
// periods are counted, not made up for.
int64_t fire(Alarm &alarm) {
    auto &timer = reinterpret_cast<RankTimer &>(alarm);
    int64_t next_ns = 0;
    {
        LockGuard guard(timer.lock);
        if (timer.due_ns == 0 || timer.rank->ended.load(std::memory_order_relaxed))
            return 0;
        int64_t present_ns = time_of(timer);
        // A timer of CPU time is looked at before it is due; a real-time clock may have been set
        // back.
        if (present_ns < timer.due_ns)
            return look_at(timer.due_ns, present_ns);
        if (timer.interval_ns > 0) {
            int64_t missed = (present_ns - timer.due_ns) / timer.interval_ns;
            timer.overruns.store(static_cast<int>(missed), std::memory_order_relaxed);
            timer.due_ns += (missed + 1) * timer.interval_ns;
            next_ns = look_at(timer.due_ns, present_ns);
        } else {
            timer.due_ns = 0;
        }
    }
    notify(timer);
    return next_ns;
}

// What a timer is set to, in relative time.
struct Setting {
    int64_t left_ns = 0; // 0: not armed
    int64_t interval_ns = 0;
};

Setting present_setting(RankTimer &timer) { // under its lock
    if (timer.due_ns == 0)
        return {0, timer.interval_ns};
    return {std::max<int64_t>(timer.due_ns - time_of(timer), 1), timer.interval_ns};
}

// Sets a timer and returns its previous setting. `due_ns` is 0 to disarm, else relative to now or
// (absolute) a time of the timer's clock.
Setting set_timer(RankTimer &timer, int64_t due_ns, int64_t interval_ns, bool absolute) {
    if (is_cpu_clock(timer.clock))
        start_counting_cpu_time();
    Setting old;
    int64_t look_ns = 0;
    {
        SignalHold hold;
        LockGuard guard(timer.lock);
        old = present_setting(timer);
        int64_t present_ns = time_of(timer);
        timer.due_ns = due_ns == 0 ? 0 : absolute ? due_ns : present_ns + due_ns;
        timer.interval_ns = interval_ns;
        timer.overruns.store(0, std::memory_order_relaxed);
        if (due_ns)
            look_ns = look_at(timer.due_ns, present_ns);
    }
    if (look_ns || old.left_ns)
        arm_alarm(timer.alarm, look_ns);
    return old;
}

} // namespace

// All timers of a rank. A deque, because the addresses of timers must not change.
struct AlarmState {
    RankTimer intervals[3];       // by ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF
    std::deque<RankTimer> timers; // of timer_create(); by timer_t - 1
};

namespace {

// A rank's part of the C-library state.
struct RankAlarms {
    AlarmState *made = nullptr; // on use

    // The signal thread keeps the addresses of alarms.
    bool is_referred_to() const { return made; }
};

LIBC_STATE(RankAlarms, alarms_of)

// Returns the calling rank's timers; the first call makes them.
AlarmState &alarms() {
    LibcState &libc = current_libc();
    if (!alarms_of(libc).made) {
        auto *made = new AlarmState;
        constexpr int signals[] = {SIGALRM, SIGVTALRM, SIGPROF};
        for (int which : {ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF}) {
            RankTimer &timer = made->intervals[which];
            timer.rank = &current_rank();
            timer.alarm.fire = &fire;
            timer.clock = which == ITIMER_REAL ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID;
            timer.event.sigev_notify = SIGEV_SIGNAL;
            timer.event.sigev_signo = signals[which];
            timer.code = SI_KERNEL;
        }
        alarms_of(libc).made = made;
    }
    return *alarms_of(libc).made;
}

int fail(int error) {
    errno = error;
    return -1;
}

// ---- alarm, setitimer

// Returns the seconds that were left, rounded, but at least 1 if the alarm was armed, as glibc
// does.
unsigned override_alarm(unsigned seconds) {
    if (in_forked_child())
        return ::alarm(seconds);
    Setting old = set_timer(alarms().intervals[ITIMER_REAL],
                            static_cast<int64_t>(seconds) * second_ns, 0, false);
    if (old.left_ns == 0)
        return 0;
    return static_cast<unsigned>(std::max<int64_t>((old.left_ns + second_ns / 2) / second_ns, 1));
}

useconds_t override_ualarm(useconds_t first, useconds_t interval) {
    if (in_forked_child())
        return ::ualarm(first, interval);
    Setting old = set_timer(alarms().intervals[ITIMER_REAL], int64_t{first} * 1000,
                            int64_t{interval} * 1000, false);
    return static_cast<useconds_t>(old.left_ns / 1000);
}

// Rounds up: a timer that is armed must not seem to have no time left.
timeval to_timeval(int64_t ns) {
    int64_t us = (ns + 999) / 1000;
    return {static_cast<time_t>(us / 1'000'000), static_cast<suseconds_t>(us % 1'000'000)};
}

itimerval to_itimerval(const Setting &setting) {
    return {to_timeval(setting.interval_ns), to_timeval(setting.left_ns)};
}

bool valid(const timeval &t) {
    return t.tv_sec >= 0 && t.tv_usec >= 0 && t.tv_usec < 1'000'000;
}

int64_t to_ns(const timeval &t) {
    return static_cast<int64_t>(t.tv_sec) * second_ns + t.tv_usec * 1000;
}

int override_setitimer(int which, const itimerval *value, itimerval *old) {
    if (in_forked_child())
        return ::setitimer(static_cast<__itimer_which>(which), value, old);
    if (which < ITIMER_REAL || which > ITIMER_PROF || !value || !valid(value->it_value) ||
        !valid(value->it_interval))
        return fail(EINVAL);
    Setting before = set_timer(alarms().intervals[which], to_ns(value->it_value),
                               to_ns(value->it_interval), false);
    if (old)
        *old = to_itimerval(before);
    return 0;
}

int override_getitimer(int which, itimerval *value) {
    if (in_forked_child())
        return ::getitimer(static_cast<__itimer_which>(which), value);
    if (which < ITIMER_REAL || which > ITIMER_PROF)
        return fail(EINVAL);
    RankTimer &timer = alarms().intervals[which];
    SignalHold hold;
    LockGuard guard(timer.lock);
    *value = to_itimerval(present_setting(timer));
    return 0;
}

// ---- timer_create

// Returns the calling rank's timer, or nullptr and sets errno to EINVAL. A timer_t is the number of
// the timer in its rank: small, and never a null pointer.
RankTimer *find_timer(timer_t id) {
    auto number = reinterpret_cast<uintptr_t>(id);
    AlarmState &state = alarms();
    if (number == 0 || number > state.timers.size() || !state.timers[number - 1].exists) {
        errno = EINVAL;
        return nullptr;
    }
    return &state.timers[number - 1];
}

// Returns a timer that is not in use. Under the lock of the rank's state.
RankTimer &new_timer(AlarmState &state) {
    for (RankTimer &timer : state.timers)
        if (!timer.exists) {
            timer.exists = true;
            return timer;
        }
    RankTimer &timer = state.timers.emplace_back();
    timer.number = static_cast<int>(state.timers.size());
    timer.alarm.fire = &fire;
    timer.rank = &current_rank();
    return timer;
}

// Without an event the signal is SIGALRM with the timer's number, as POSIX asks.
int override_timer_create(clockid_t clock, sigevent *event, timer_t *id) {
    if (in_forked_child())
        return ::timer_create(clock, event, id);
    timespec now;
    if (::clock_gettime(clock, &now) != 0)
        return fail(EINVAL);
    SignalHold hold;
    AlarmState &state = alarms();
    StateGuard guard(current_libc().lock);
    RankTimer &timer = new_timer(state);
    timer.clock = clock;
    timer.event = {};
    if (event) {
        timer.event = *event;
        if (event->sigev_notify == SIGEV_THREAD)
            note_threads_of_ranks();
    } else {
        timer.event.sigev_notify = SIGEV_SIGNAL;
        timer.event.sigev_signo = SIGALRM;
        timer.event.sigev_value.sival_int = timer.number;
    }
    *id = reinterpret_cast<timer_t>(static_cast<uintptr_t>(timer.number));
    return 0;
}

int override_timer_settime(timer_t id, int flags, const itimerspec *value, itimerspec *old) {
    if (in_forked_child())
        return ::timer_settime(id, flags, value, old);
    RankTimer *timer = find_timer(id);
    auto valid = [](const timespec &t) {
        return t.tv_sec >= 0 && t.tv_nsec >= 0 && t.tv_nsec < second_ns;
    };
    if (!timer || !value || !valid(value->it_value) || !valid(value->it_interval))
        return fail(EINVAL);
    Setting before =
        set_timer(*timer, to_ns(value->it_value), to_ns(value->it_interval), flags & TIMER_ABSTIME);
    if (old)
        *old = {to_timespec(before.interval_ns), to_timespec(before.left_ns)};
    return 0;
}

int override_timer_gettime(timer_t id, itimerspec *value) {
    if (in_forked_child())
        return ::timer_gettime(id, value);
    RankTimer *timer = find_timer(id);
    if (!timer)
        return -1;
    SignalHold hold;
    LockGuard guard(timer->lock);
    Setting setting = present_setting(*timer);
    *value = {to_timespec(setting.interval_ns), to_timespec(setting.left_ns)};
    return 0;
}

int override_timer_getoverrun(timer_t id) {
    if (in_forked_child())
        return ::timer_getoverrun(id);
    RankTimer *timer = find_timer(id);
    return timer ? timer->overruns.load(std::memory_order_relaxed) : -1;
}

int override_timer_delete(timer_t id) {
    if (in_forked_child())
        return ::timer_delete(id);
    RankTimer *timer = find_timer(id);
    if (!timer)
        return -1;
    set_timer(*timer, 0, 0, false);
    timer->exists = false;
    return 0;
}

const FunctionOverride table[] = {
    OVERRIDE("alarm", override_alarm),
    OVERRIDE("ualarm", override_ualarm),
    OVERRIDE("setitimer", override_setitimer),
    OVERRIDE("getitimer", override_getitimer),
    OVERRIDE("timer_create", override_timer_create),
    OVERRIDE("timer_settime", override_timer_settime),
    OVERRIDE("timer_gettime", override_timer_gettime),
    OVERRIDE("timer_getoverrun", override_timer_getoverrun),
    OVERRIDE("timer_delete", override_timer_delete),
};

} // namespace

LIBC_FUNCTIONS(table);

} // namespace thrum
