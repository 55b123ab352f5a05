// The process's part of signals: trampolines, and the thread that brings signals to ranks and keeps
// their alarms (libc/signals.h).
//
// A trampoline may interrupt anything, so it only notes in atomics what has arrived and wakes the
// thread. What must be done on the spot (faults, kicks, broken pipes) is done on the rank's stack.
//
// The thread starts with the first trampoline or alarm. It has three kinds of work: signals from
// outside, which it gives to the ranks that want them; alarms that are due; and ranks with
// undelivered signals (told_). For each of these it chooses by what the rank is doing: kick, visit,
// or cancel its timer. A rank that cannot take its signal at this moment is tried again, after
// pauses that grow from 20 us to 2 ms.
#include "base/check.h"
#include "base/clock.h"
#include "base/futex.h"
#include "base/own_code.h"
#include "base/own_threads.h"
#include "fiber/timer.h"
#include "fiber/visit.h"
#include "fiber/worker.h"
#include "libc/child_processes.h"
#include "libc/directory.h"
#include "libc/forked_child.h"
#include "libc/libc_state.h"
#include "libc/resume.h"
#include "libc/signals.h"
#include "rank/contained.h"
#include "rank/job.h"
#include "rank/job_end.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <pthread.h>
#include <set>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

extern "C" {
int __libc_allocate_rtsig(int high); // glibc exports it, <signal.h> does not declare it
}

namespace thrum {
namespace {

// ---- what was there before us

// The process's action for each signal before our trampoline. Written before the trampoline is
// installed.
struct sigaction process_actions[signals_max + 1];
std::atomic<SignalSet> trampolines{0}; // those installed
SpinLock trampoline_lock;              // installs one at a time

// Returns whether an instruction of the program may have caused the signal.
bool is_fault(int signal) {
    return signal == SIGSEGV || signal == SIGBUS || signal == SIGILL || signal == SIGFPE ||
           signal == SIGTRAP || signal == SIGSYS;
}

bool is_function(const struct sigaction &action) {
    return action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
}

// ---- alarms and ranks that have signals to come

// Orders alarms by time; those of the same time by address.
struct ByDeadline {
    bool operator()(const std::pair<int64_t, Alarm *> &a,
                    const std::pair<int64_t, Alarm *> &b) const {
        return a.first != b.first ? a.first < b.first : a.second < b.second;
    }
};

// The thread and what it works on. Any thread may call the public functions; note_outside() may be
// called in a trampoline.
class SignalThread {
public:
    void start();
    void arm(Alarm &alarm, int64_t deadline_ns);
    void tell(Rank &rank);
    void note_outside(int signal, const siginfo_t &info);

private:
    static void *run(void *self);
    void loop();
    bool fire_alarms();
    void distribute_outside();
    bool work_on_ranks();

    // Wakes the thread, or keeps it from sleeping.
    void nudge() {
        changes_.fetch_add(1, std::memory_order_release); // pairs with [signal-thread-1]
        futex_wake(changes_);
    }

    SpinLock lock_; // guards started_, alarms_, told_; taken with signals held
    bool started_ = false;
    std::set<std::pair<int64_t, Alarm *>, ByDeadline> alarms_;
    std::vector<Rank *> told_;          // ranks that have been sent signals since the last look
    std::vector<Rank *> working_;       // the thread's own: ranks that still have signals
    std::atomic<uint32_t> changes_{0};  // the thread sleeps while it stays the same
    std::atomic<SignalSet> outside_{0}; // have arrived from outside, by trampolines
    siginfo_t outside_info_[signals_max + 1]; // of the newest one; two at once may mix
};

SignalThread &signal_thread() {
    static auto *thread = new SignalThread; // never destroyed
    return *thread;
}

// ---- kicks: "look whether you have signals"

// Kicks tell a thread to look whether its rank has signals. One restarts an interrupted system
// call, the other makes it fail with EINTR, as SA_RESTART of the rank's action says. They are the
// two real-time signals of the lowest priority, which programs then no longer get.
int kick_and_restart = 0;
int kick_and_interrupt = 0;

// Returns whether a thread that was interrupted holds none of our locks and has no MPI call half
// done. An OS thread that waits in MPI sleeps in a futex and holds nothing.
bool may_run_handler(const RankThread &self, const ucontext_t &context) {
    if (is_own_code(reinterpret_cast<const void *>(context.uc_mcontext.gregs[REG_RIP])))
        return false;
    if (signals_of(self).held.load(std::memory_order_relaxed) > 0)
        return false;
    return self.asleep.load(std::memory_order_relaxed) ||
           (self.call.function.load(std::memory_order_relaxed) == 0 &&
            self.state.load(std::memory_order_relaxed) == TaskState::Running);
}

// The handler of kicks: runs the rank's handlers here if that is possible. Otherwise the signal
// thread tries again later.
void on_kick(int, siginfo_t *, void *context) {
    auto *self = static_cast<RankThread *>(current_task_or_null);
    if (!self || !self->rank || in_forked_child())
        return;
    int error = errno;
    auto &interrupted = *static_cast<ucontext_t *>(context);
    if (may_run_handler(*self, interrupted)) {
        look_at_condemned(reinterpret_cast<const void *>(interrupted.uc_mcontext.gregs[REG_RIP]));
        // A thread that waits does not count as active; while it runs a handler it is.
        bool waits = self->asleep.load(std::memory_order_relaxed);
        if (waits) {
            announce_os_thread();
            signals_of(*self).visited.store(true, std::memory_order_relaxed);
        }
        if (deliver_signals(*self, context))
            keep_signal_stack(interrupted);
        if (waits) {
            signals_of(*self).visited.store(false, std::memory_order_relaxed);
            withdraw_os_thread();
        }
    }
    errno = error;
}

// Takes a real-time signal from the C library for kicks. SA_NODEFER: a handler may leave by
// longjmp(), and the kick must not stay blocked then.
void install_kick(int &number, int flags) {
    number = __libc_allocate_rtsig(0);
    CHECK(number > 0, "no real-time signal is free");
    struct sigaction action = {};
    action.sa_sigaction = on_kick;
    action.sa_flags = SA_SIGINFO | SA_NODEFER | flags;
    ::sigemptyset(&action.sa_mask);
    ::sigaction(number, &action, nullptr);
}

// ---- trampolines

// Handles a fault, an abort() or a broken pipe of the thread that is interrupted.
void on_own_signal(RankThread *self, siginfo_t &info, ucontext_t &context) {
    int signal = info.si_signo;
    if (self && self->rank && self->rank->libc && !contained_caller()) {
        // Read without the lock, which the faulting code may hold.
        SignalState *state = rank_signals_of(libc_of(*self->rank))
                                 .state.load(std::memory_order_acquire); // [signals-1]
        const SignalAction action = state ? state->actions[signal] : SignalAction{};
        bool blocked = signals_of(*self).mask.load(std::memory_order_relaxed) & set_of(signal);
        if (is_fault(signal) || signal == SIGABRT) {
            // An abort() inside one of our locks is our own mistake, which no handler can mend.
            bool ours =
                signal == SIGABRT && signals_of(*self).held.load(std::memory_order_relaxed) > 0;
            if (action.is_function() && !blocked && !ours &&
                enter_fault_handler(*self, action, info, context))
                return;
        } else if (action.is_function() && may_run_handler(*self, context) && !blocked) {
            run_action(*self, action, info, &context);
            keep_signal_stack(context);
            return;
        } else if (action.is_function() || action.ignores(signal) || blocked) {
            return; // write() fails with EPIPE
        }
    }
    do_process_action(signal, &info, &context);
}

// The process's handler of each signal that matters to some rank. Codes above 0 are the kernel's:
// the same signal sent by kill() is not a fault of this thread.
void trampoline(int signal, siginfo_t *info, void *context) {
    int error = errno;
    auto *self = static_cast<RankThread *>(current_task_or_null);
    bool from_us = info->si_pid == ::getpid() && info->si_code <= 0;
    if (is_fault(signal) && info->si_code > 0)
        on_own_signal(self, *info, *static_cast<ucontext_t *>(context));
    else if ((signal == SIGPIPE || signal == SIGABRT) && from_us)
        on_own_signal(self, *info, *static_cast<ucontext_t *>(context));
    else if (default_action(signal) == DefaultAction::Report)
        do_process_action(signal, info, context);
    else
        signal_thread().note_outside(signal, *info);
    errno = error;
}

// ---- signals from outside

// Sends SIGCHLD if a child of `rank` that lives has stopped, or gone on, and the rank has not been
// told of that. WNOWAIT leaves the news for the program's own wait().
void tell_of_stop(Rank &rank, pid_t child) {
    siginfo_t changed = {};
    int options = WSTOPPED | WCONTINUED | WNOHANG | WNOWAIT;
    if (::waitid(P_PID, static_cast<id_t>(child), &changed, options) != 0)
        return;
    {
        LockGuard guard(libc_of(rank).lock);
        auto &told = children_of(libc_of(rank)).stopped;
        auto same = std::find_if(told.begin(), told.end(),
                                 [child](const auto &stop) { return stop.first == child; });
        if (same != told.end() && changed.si_pid == child && same->second == changed.si_code)
            return;
        if (same != told.end())
            told.erase(same);
        if (changed.si_pid != child)
            return; // the program knows
        told.emplace_back(child, changed.si_code);
    }
    changed.si_signo = SIGCHLD;
    send_to_rank(rank, changed);
}

// Sends SIGCHLD if a child of `rank` has ended and the rank has not been told. If the rank ignores
// SIGCHLD, reaps the child instead, as the kernel does for a process.
void tell_parent(Rank &rank, SignalState &state, pid_t child) {
    bool reap = state.actions[SIGCHLD].handler == reinterpret_cast<void *>(SIG_IGN) ||
                (state.actions[SIGCHLD].flags & SA_NOCLDWAIT);
    siginfo_t ended = {};
    int options = WEXITED | WNOHANG | (reap ? 0 : WNOWAIT);
    if (::waitid(P_PID, static_cast<id_t>(child), &ended, options) != 0)
        return;
    if (ended.si_pid != child) {
        if (!reap && !(state.actions[SIGCHLD].flags & SA_NOCLDSTOP))
            tell_of_stop(rank, child);
        return;
    }
    ended.si_signo = SIGCHLD;
    bool comes = false;
    {
        LockGuard guard(libc_of(rank).lock);
        auto &children = children_of(libc_of(rank)).all;
        if (std::find(children.begin(), children.end(), child) == children.end())
            return; // reaped meanwhile, which has sent its SIGCHLD
        if (reap)
            std::erase(children, child);
        else
            children_of(libc_of(rank)).ended.push_back(child);
        // Under the lock: the rank may reap the child, and then change its action.
        comes = !reap && queue_signal(rank, ended);
    }
    if (comes)
        announce_signal(rank);
}

// Looks at all children of all ranks, because one SIGCHLD may stand for several of them.
void tell_parents() {
    std::lock_guard table(rank_table_mutex());
    for (int i = 0; i < rank_count(); ++i) {
        Rank &rank = rank_at(i);
        // acquire [signals-1]
        SignalState *state =
            rank.libc ? rank_signals_of(libc_of(rank)).state.load(std::memory_order_acquire)
                      : nullptr;
        if (!state)
            continue;
        std::vector<pid_t> children;
        {
            LockGuard guard(libc_of(rank).lock);
            for (pid_t child : children_of(libc_of(rank)).all)
                if (std::find(children_of(libc_of(rank)).ended.begin(),
                              children_of(libc_of(rank)).ended.end(),
                              child) == children_of(libc_of(rank)).ended.end())
                    children.push_back(child);
        }
        for (pid_t child : children)
            tell_parent(rank, *state, child);
    }
}

// Sends a signal from outside to every rank that handles it, or has blocked it and may fetch it. If
// there is none, does the process's own action, unless all ranks ignore the signal.
void distribute(const siginfo_t &info) {
    int signal = info.si_signo;
    if (signal == SIGCHLD) {
        tell_parents();
        return;
    }
    bool taken = false, all_ignore = true;
    std::unique_lock table(rank_table_mutex());
    for (int i = 0; i < rank_count(); ++i) {
        Rank &rank = rank_at(i);
        if (!rank.libc || rank.ended.load(std::memory_order_relaxed))
            continue;
        SignalState *state =
            rank_signals_of(libc_of(rank)).state.load(std::memory_order_acquire); // [signals-1]
        bool blocked = signals_of(rank).mask.load(std::memory_order_relaxed) & set_of(signal);
        if (blocked || (state && state->actions[signal].is_function())) {
            send_to_rank(rank, info);
            taken = true;
        }
        all_ignore = all_ignore && state && state->actions[signal].ignores(signal);
    }
    table.unlock();
    siginfo_t copy = info;
    if (!taken && !all_ignore)
        do_process_action(signal, &copy, nullptr);
}

// ---- the thread

// Runs a rank's handlers on its stack while it waits, on the signal thread.
void run_handlers_as_visitor(void *argument) {
    Rank &rank = *static_cast<Rank *>(argument);
    if (signals_of(rank).held.load(std::memory_order_relaxed) > 0)
        return;
    signals_of(rank).visited.store(true, std::memory_order_relaxed);
    enter_directory_as_visitor(rank);
    deliver_signals(rank);
    signals_of(rank).visited.store(false, std::memory_order_relaxed);
}

// Returns the kick that fits the action of the lowest signal of `ready`. Read without the lock: if
// it has just changed, a system call restarts or fails as it would have a moment before.
int kick_for(const SignalState &state, SignalSet ready) {
    int signal = __builtin_ctzll(ready) + 1;
    return state.actions[signal].flags & SA_RESTART ? kick_and_restart : kick_and_interrupt;
}

// Makes one attempt to have the rank's signals run. Returns whether nothing is left to be
// delivered.
bool bring_signals(Rank &rank) {
    const SignalState &state = state_of(rank_signals_of(libc_of(rank)));
    const ThreadSignals &signals = signals_of(rank);
    auto ready = [&] {
        return state.pending.load(std::memory_order_acquire) & // [pending-signals-1]
               (~signals.mask.load(std::memory_order_relaxed) |
                signals.accepted.load(std::memory_order_relaxed));
    };
    SignalSet now = ready();
    if (!now || rank.ended.load(std::memory_order_relaxed))
        return true;
    bool held = signals.held.load(std::memory_order_relaxed) > 0;
    // relaxed: whoever acts on it looks again.
    bool waits = rank.state.load(std::memory_order_relaxed) == TaskState::Waiting;
    // With signals held, a rank must not be interrupted: it delivers them itself at the end of the
    // hold, or waits in a way that can be ended early.
    if (rank.kind != TaskKind::Fiber) {
        if (!held) // else it is woken by RankSignals::arrivals, or busy for a moment
            interrupt_thread_of(rank, kick_for(state, now));
    } else if (!waits) {
        if (!held && rank.state.load(std::memory_order_relaxed) == TaskState::Running)
            interrupt_thread_of(rank, kick_for(state, now));
    } else if (!held) {
        visit_waiting_fiber(rank, &run_handlers_as_visitor, &rank);
    } else if (cancel_timer(rank)) {
        make_runnable(rank); // wait_for_signal() and other waits of overrides
    }
    return !ready();
}

// Starts the thread and installs the kicks, on the first call. Ends the process if it cannot.
void SignalThread::start() {
    {
        SignalHold hold;
        LockGuard guard(lock_);
        if (started_)
            return;
        started_ = true;
    }
    install_kick(kick_and_restart, SA_RESTART);
    install_kick(kick_and_interrupt, 0);
    // It takes no signals but faults (of the handlers that it runs).
    sigset_t all, old;
    ::sigfillset(&all);
    for (int fault : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS, SIGABRT})
        ::sigdelset(&all, fault);
    ::pthread_sigmask(SIG_SETMASK, &all, &old);
    pthread_attr_t attributes;
    ::pthread_attr_init(&attributes);
    ::pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_t thread;
    int error = create_own_thread(&thread, &attributes, &run, this);
    ::pthread_attr_destroy(&attributes);
    ::pthread_sigmask(SIG_SETMASK, &old, nullptr);
    if (error)
        die(1, "cannot start the thread that delivers signals to ranks: %s; raise ulimit -u",
            std::strerror(error));
}

void *SignalThread::run(void *self) {
    thread_has_started();
    static_cast<SignalThread *>(self)->loop();
    return nullptr;
}

// The thread's work. While there is something to do, the thread is announced as running, so that
// the process is not taken for quiescent. `changes_` is read before the work: what arrives during
// the work changes it, and the futex does not sleep.
void SignalThread::loop() {
    constexpr int64_t first_pause_ns = 20'000, pause_ns_max = 2'000'000;
    int64_t pause_ns = first_pause_ns;
    bool announced = false;
    for (;;) {
        uint32_t seen = changes_.load(std::memory_order_acquire); // acquire [signal-thread-1]
        if (!announced)
            announce_os_thread();
        announced = true;
        distribute_outside();
        bool fired = fire_alarms();
        bool done = work_on_ranks();
        pause_ns = fired ? first_pause_ns : std::min(2 * pause_ns, pause_ns_max);
        int64_t sleep_ns = -1;
        {
            LockGuard guard(lock_);
            if (!alarms_.empty())
                sleep_ns = std::max<int64_t>(alarms_.begin()->first - now_ns(), 0);
        }
        if (!done) {
            sleep_ns = sleep_ns < 0 ? pause_ns : std::min(sleep_ns, pause_ns);
        } else {
            pause_ns = first_pause_ns;
            announced = false;
            withdraw_os_thread(); // may report a deadlock
        }
        futex_wait(changes_, seen, sleep_ns);
    }
}

// Fires the alarms that are due, without the lock. Returns whether there was one. An alarm that its
// owner has armed or disarmed meanwhile is not armed again.
bool SignalThread::fire_alarms() {
    bool fired = false;
    for (;;) {
        Alarm *alarm = nullptr;
        unsigned armed = 0;
        {
            LockGuard guard(lock_);
            if (alarms_.empty() || alarms_.begin()->first > now_ns())
                return fired;
            alarm = alarms_.begin()->second;
            alarms_.erase(alarms_.begin());
            alarm->deadline_ns = 0;
            armed = alarm->armed;
        }
        fired = true;
        int64_t next_ns = alarm->fire(*alarm);
        if (next_ns > 0) {
            LockGuard guard(lock_);
            if (alarm->armed == armed) { // else its owner has set it meanwhile
                alarm->deadline_ns = next_ns;
                alarms_.insert({next_ns, alarm});
                continue;
            }
        }
        // The alarm was counted as a timer when it was armed; it counts no longer.
        add_pending_timers(-1);
    }
}

// The count of timers changes without the lock, and before the thread is woken: the process must
// not seem quiescent while an alarm is armed.
void SignalThread::arm(Alarm &alarm, int64_t deadline_ns) {
    start();
    SignalHold hold;
    int more = 0;
    {
        LockGuard guard(lock_);
        if (alarm.deadline_ns) {
            alarms_.erase({alarm.deadline_ns, &alarm});
            --more;
        }
        alarm.deadline_ns = deadline_ns;
        ++alarm.armed;
        if (deadline_ns) {
            alarms_.insert({deadline_ns, &alarm});
            ++more;
        }
    }
    if (more)
        add_pending_timers(more);
    if (deadline_ns)
        nudge();
}

// Puts the rank on the list, once. Each switch pays for the look at resumed fibers, so that begins
// with the first signal.
void SignalThread::tell(Rank &rank) {
    start();
    deliver_signals_at_resume();
    // acq_rel [being-told-1]: if the rank is on the list still, the thread that takes it off sees
    // the signal.
    if (state_of(rank_signals_of(libc_of(rank)))
            .being_told.exchange(true, std::memory_order_acq_rel))
        return nudge();
    SignalHold hold;
    {
        LockGuard guard(lock_);
        told_.push_back(&rank);
    }
    nudge();
}

// Tries every rank on the list, and takes off those that have nothing left. Returns whether the
// list is empty. After `being_told` is cleared it looks once more: a signal sent just before did
// not put the rank on the list again.
bool SignalThread::work_on_ranks() {
    {
        LockGuard guard(lock_);
        working_.insert(working_.end(), told_.begin(), told_.end());
        told_.clear();
    }
    std::erase_if(working_, [](Rank *rank) {
        if (!bring_signals(*rank))
            return false;
        SignalState &state = state_of(rank_signals_of(libc_of(*rank)));
        // acq_rel [being-told-1], and an exchange: it sees the signals of those that have found the
        // rank on the list.
        state.being_told.exchange(false, std::memory_order_acq_rel);
        return bring_signals(*rank) ||
               state.being_told.exchange(true, std::memory_order_acq_rel); // [being-told-1]
    });
    return working_.empty();
}

// Called in trampolines: no lock, no allocation.
void SignalThread::note_outside(int signal, const siginfo_t &info) {
    outside_info_[signal] = info;
    outside_.fetch_or(set_of(signal), std::memory_order_release); // release [outside-signals-1]
    nudge();
}

void SignalThread::distribute_outside() {
    SignalSet set = outside_.exchange(0, std::memory_order_acquire); // acquire [outside-signals-1]
    for (; set; set &= set - 1)
        distribute(outside_info_[__builtin_ctzll(set) + 1]);
}

} // namespace

// The worker may run another rank when the signal comes, to which it means nothing.
void kick_condemned(const Rank &rank) {
    signal_thread().start();
    if (rank.state.load(std::memory_order_relaxed) != TaskState::Running)
        return;
    const Worker *worker = rank.worker;
    const int thread = rank.kind == TaskKind::OsThread
                           ? rank.os_thread_id.load(std::memory_order_relaxed)
                       : worker ? worker->os_thread_id()
                                : 0;
    if (thread > 0)
        ::tgkill(::getpid(), thread, kick_and_restart);
}

// With the default action of the kernel, a fault is left to happen again, and another signal is
// sent again.
void do_process_action(int signal, siginfo_t *info, void *context) {
    const struct sigaction &action = process_actions[signal];
    if (is_function(action)) {
        if (action.sa_flags & SA_SIGINFO)
            action.sa_sigaction(signal, info, context);
        else
            action.sa_handler(signal);
        return;
    }
    if (action.sa_handler == SIG_IGN || default_action(signal) == DefaultAction::Ignore)
        return;
    ::signal(signal, SIG_DFL);
    if (is_fault(signal) && info->si_code > 0)
        return; // the instruction faults again
    ::kill(::getpid(), signal);
}

// The kicks are our own signals. A program that asks for them gets no trampoline.
void install_trampoline(int signal) {
    // acquire [trampoline-1]: the action before it.
    if (trampolines.load(std::memory_order_acquire) & set_of(signal))
        return;
    signal_thread().start();
    if (signal == kick_and_restart || signal == kick_and_interrupt)
        return;
    SignalHold hold;
    LockGuard guard(trampoline_lock);
    if (trampolines.load(std::memory_order_relaxed) & set_of(signal))
        return;
    struct sigaction action = {};
    if (::sigaction(signal, nullptr, &process_actions[signal]) != 0)
        return; // the C library's own
    action.sa_sigaction = trampoline;
    // A fault may be that of a stack without room. SIGPIPE's handler runs on the rank's stack.
    action.sa_flags = SA_SIGINFO | SA_RESTART | SA_NODEFER | (signal == SIGPIPE ? 0 : SA_ONSTACK);
    ::sigemptyset(&action.sa_mask);
    if (::sigaction(signal, &action, nullptr) == 0)
        trampolines.fetch_or(set_of(signal), std::memory_order_release); // release [trampoline-1]
}

void look_for_ended_children() {
    if (!(trampolines.load(std::memory_order_acquire) & set_of(SIGCHLD))) // [trampoline-1]
        return;
    siginfo_t info = {};
    info.si_signo = SIGCHLD;
    signal_thread().note_outside(SIGCHLD, info);
}

void tell_signal_thread(Rank &rank) {
    signal_thread().tell(rank);
}

void arm_alarm(Alarm &alarm, int64_t deadline_ns) {
    signal_thread().arm(alarm, deadline_ns);
}

// A signal that would end a process ends the whole job: a single rank cannot be stopped at any
// point.
void do_default_action(RankThread &self, const siginfo_t &info, void *) {
    int signal = info.si_signo;
    switch (default_action(signal)) {
    case DefaultAction::Ignore:
        return;
    case DefaultAction::Stop:
        ::kill(::getpid(), SIGSTOP); // all ranks: the process stops
        return;
    case DefaultAction::Report:
        ::raise(signal); // the crash report, on the rank's stack
        break;
    case DefaultAction::Terminate:
        break;
    }
    constexpr int code_of_signal = 128;
    if (signal != SIGPIPE) // as shells do
        report("rank %d was ended by signal %d (%s)", self.rank->world_rank, signal,
               sigdescr_np(signal) ? sigdescr_np(signal) : "real-time signal");
    end_job(code_of_signal + signal);
}

} // namespace thrum
