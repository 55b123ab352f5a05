// Queues and delivers the signals of a rank (libc/signals.h).
//
// A signal is put into the rank's queue under its lock, and its bit into `pending`. `arrivals` then
// changes, which wakes threads that wait on it. The signal runs where the rank is, at the end of
// the next SignalHold of one of its threads, when its fiber is resumed, or when the signal thread
// interrupts it.
#include "libc/signals.h"

#include "base/clock.h"
#include "base/futex.h"
#include "fiber/timer.h"
#include "libc/forked_child.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <ctime>
#include <ucontext.h>
#include <unistd.h>

namespace thrum {
namespace {

constexpr int first_queued_signal = 34; // real-time signals (32, 33 are glibc's): each one counts

// Returns the signals that the process ignores.
SignalSet ignored_signals() {
    SignalSet ignored = 0;
    for (int signal = 1; signal <= signals_max; ++signal) {
        struct sigaction present = {};
        if (::sigaction(signal, nullptr, &present) == 0 && !(present.sa_flags & SA_SIGINFO) &&
            present.sa_handler == SIG_IGN)
            ignored |= set_of(signal);
    }
    return ignored;
}

constexpr SignalSet not_asked = ~SignalSet{0}; // not even SIGKILL

// Makes a new state start with what the process was started with: nohup's ignored SIGHUP. Asked
// once, before a rank can have changed it: libgfortran sets handlers in each rank.
void take_initial_actions(SignalState &state) {
    static constinit std::atomic<SignalSet> at_start = not_asked;
    // relaxed: nothing else is read by it. The first answer counts: a rank may have set a handler
    // before another has asked.
    SignalSet ignored = at_start.load(std::memory_order_relaxed);
    if (ignored == not_asked) {
        const SignalSet answer = ignored_signals();
        if (at_start.compare_exchange_strong(ignored, answer, std::memory_order_relaxed))
            ignored = answer;
    }
    for (int signal = 1; signal <= signals_max; ++signal)
        if (ignored & set_of(signal))
            state.actions[signal].handler = reinterpret_cast<void *>(SIG_IGN);
}

// Returns the state of the thread's rank, or nullptr if it has none yet. Takes no lock.
SignalState *signals_or_null(const RankThread &self) {
    const RankSignals *signals = self.rank ? own_signals_of(*self.rank) : nullptr;
    // acquire [signals-1]: pairs with [signals-1].
    return signals ? signals->state.load(std::memory_order_acquire) : nullptr;
}

// Takes the oldest pending signal of `wanted` out of the queue. Returns false if there is none.
// Under the state's lock.
bool take_from_queue(SignalState &state, SignalSet wanted, siginfo_t &info) {
    for (size_t i = 0; i < state.queue.size(); ++i) {
        int signal = state.queue[i].si_signo;
        if (!(wanted & set_of(signal)))
            continue;
        info = state.queue[i];
        state.queue.erase(state.queue.begin() + static_cast<ptrdiff_t>(i));
        bool another = std::any_of(state.queue.begin(), state.queue.end(),
                                   [signal](const siginfo_t &s) { return s.si_signo == signal; });
        if (!another)
            state.pending.fetch_and(~set_of(signal), std::memory_order_relaxed);
        return true;
    }
    return false;
}

// Returns whether the caller runs on the rank's alternate stack already (a handler in a handler).
bool is_on_alternate_stack(const ThreadSignals &signals) {
    auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
    auto low = reinterpret_cast<uintptr_t>(signals.alternate_low);
    return here > low && here <= low + signals.alternate_bytes;
}

// Calls the program's handler, on the alternate stack if it asks for that. A handler with
// SA_SIGINFO gets a context even where no trampoline has one.
void call_handler(RankThread &self, const SignalAction &action, siginfo_t &info, void *context) {
    ucontext_t own;
    if (!context && (action.flags & SA_SIGINFO)) {
        ::getcontext(&own);
        context = &own;
    }
    ThreadSignals &signals = signals_of(self);
    if ((action.flags & SA_ONSTACK) && signals.has_alternate && !is_on_alternate_stack(signals))
        thrum_call_on_stack(info.si_signo, &info, context, action.handler,
                            static_cast<char *>(signals.alternate_low) + signals.alternate_bytes);
    else
        reinterpret_cast<void (*)(int, siginfo_t *, void *)>(action.handler)(info.si_signo, &info,
                                                                             context);
}

// Waits until the deadline or until a signal arrives. It is called with signals held, so that the
// wait ends early and the rank is not visited. A fiber waits for a timer, which the signal thread
// cancels. An OS thread, and a handler that runs during a visit, wait for `arrivals` to differ from
// `seen`.
void wait_early(RankThread &self, uint32_t seen, int64_t deadline_ns) MAY_SUSPEND {
    std::atomic<uint32_t> &arrivals = rank_signals_of(libc_of(*self.rank)).arrivals;
    if (self.kind == TaskKind::Fiber && !signals_of(self).visited.load(std::memory_order_relaxed)) {
        wait_until(deadline_ns);
        return;
    }
    int64_t left_ns = deadline_ns - now_ns();
    if (left_ns > 0)
        futex_wait(arrivals, seen, left_ns);
}

} // namespace

LIBC_STATE(RankSignals, rank_signals_of)

// A single rank has no C-library state.
RankSignals *own_signals_of(const Rank &rank) {
    return rank.libc ? &rank_signals_of(libc_of(rank)) : nullptr;
}

bool cannot_park() {
    return in_forked_child() ||
           signals_of(current_rank_thread()).visited.load(std::memory_order_relaxed);
}

SignalSet from_sigset(const sigset_t &set) {
    SignalSet bits;
    std::memcpy(&bits, &set, sizeof bits); // the kernel's and glibc's order is the same
    return bits & ~(set_of(SIGKILL) | set_of(SIGSTOP));
}

sigset_t to_sigset(SignalSet set) {
    sigset_t result;
    ::sigemptyset(&result);
    std::memcpy(&result, &set, sizeof set);
    return result;
}

DefaultAction default_action(int signal) {
    switch (signal) {
    case SIGCHLD:
    case SIGURG:
    case SIGWINCH:
    case SIGCONT:
        return DefaultAction::Ignore;
    case SIGSTOP:
    case SIGTSTP:
    case SIGTTIN:
    case SIGTTOU:
        return DefaultAction::Stop;
    case SIGSEGV:
    case SIGBUS:
    case SIGILL:
    case SIGFPE:
    case SIGABRT:
        return DefaultAction::Report;
    default:
        return DefaultAction::Terminate;
    }
}

// Two threads may make it at once; the one whose exchange fails deletes its own.
SignalState &state_of(RankSignals &signals) {
    SignalState *state = signals.state.load(std::memory_order_acquire); // [signals-1]
    if (state)
        return *state;
    auto *made = new SignalState;
    take_initial_actions(*made);
    // release [signals-1]: the state is complete.
    if (signals.state.compare_exchange_strong(state, made, std::memory_order_acq_rel))
        return *made;
    delete made;
    return *state;
}

SignalAction action_of(RankThread &self, int signal, bool use) {
    SignalState &state = state_of(rank_signals_of(libc_of(*self.rank)));
    StateGuard guard(state.lock);
    SignalAction action = state.actions[signal];
    if (use && (action.flags & static_cast<int>(SA_RESETHAND)))
        state.actions[signal] = {};
    return action;
}

bool has_deliverable_signal(const RankThread &self) {
    const SignalState *state = signals_or_null(self);
    return state && (state->pending.load(std::memory_order_relaxed) &
                     ~signals_of(self).mask.load(std::memory_order_relaxed));
}

bool queue_signal(Rank &rank, const siginfo_t &info) {
    SignalState &state = state_of(rank_signals_of(libc_of(rank)));
    SignalSet bit = set_of(info.si_signo);
    LockGuard guard(state.lock);
    SignalSet wanted = signals_of(rank).mask.load(std::memory_order_relaxed) |
                       signals_of(rank).accepted.load(std::memory_order_relaxed);
    if (state.actions[info.si_signo].ignores(info.si_signo) && !(wanted & bit))
        return false;
    // A standard signal that is pending already is not queued again, as in the kernel.
    bool there = state.pending.load(std::memory_order_relaxed) & bit;
    if (!there || info.si_signo >= first_queued_signal)
        state.queue.push_back(info);
    state.pending.fetch_or(bit, std::memory_order_release); // release [pending-signals-1]
    return true;
}

// Wakes whoever waits for `arrivals`. The rank's own main thread needs no signal thread: its
// SignalHold delivers.
void announce_signal(Rank &rank) {
    auto *caller = static_cast<RankThread *>(current_task_or_null);
    // release [arrivals-1]: the pending signal.
    rank_signals_of(libc_of(rank)).arrivals.fetch_add(1, std::memory_order_release);
    futex_wake(rank_signals_of(libc_of(rank)).arrivals, INT_MAX);
    if (caller != &rank)
        tell_signal_thread(rank);
}

void send_to_rank(Rank &rank, const siginfo_t &info) {
    SignalHold hold; // at its end the handler runs, if the caller is of this rank
    if (queue_signal(rank, info))
        announce_signal(rank);
}

// Takes one signal at a time, because its handler may change masks and actions, or be left by
// longjmp().
bool deliver_signals(RankThread &self, void *context) {
    SignalState *state = signals_or_null(self);
    if (!state || signals_of(self).held.load(std::memory_order_relaxed) > 0)
        return false;
    bool handler_ran = false;
    for (;;) {
        siginfo_t info;
        SignalAction action;
        {
            // No SignalHold: its end would deliver.
            signals_of(self).held.store(1, std::memory_order_relaxed);
            LockGuard guard(state->lock);
            bool found = take_from_queue(
                *state, ~signals_of(self).mask.load(std::memory_order_relaxed), info);
            if (found) {
                action = state->actions[info.si_signo];
                if (action.flags & static_cast<int>(SA_RESETHAND))
                    state->actions[info.si_signo] = {};
            }
            signals_of(self).held.store(0, std::memory_order_relaxed);
            if (!found)
                return handler_ran;
        }
        if (action.ignores(info.si_signo))
            continue;
        handler_ran |= action.is_function();
        run_action(self, action, info, context);
    }
}

// `info` is a copy: the queue may grow while the handler runs.
void run_action(RankThread &self, const SignalAction &action, siginfo_t info, void *context) {
    if (action.ignores(info.si_signo))
        return;
    if (!action.is_function()) {
        do_default_action(self, info, context);
        return;
    }
    int error = errno;
    ThreadSignals &signals = signals_of(self);
    SignalSet old = signals.mask.load(std::memory_order_relaxed);
    SignalSet own = action.flags & SA_NODEFER ? 0 : set_of(info.si_signo);
    signals.mask.store(old | action.mask | own, std::memory_order_relaxed);
    call_handler(self, action, info, context);
    signals.mask.store(old, std::memory_order_relaxed);
    signals.restarts = action.flags & SA_RESTART;
    errno = error;
}

bool take_signal(RankThread &self, SignalSet accepted, siginfo_t &info) {
    SignalState &state = state_of(rank_signals_of(libc_of(*self.rank)));
    StateGuard guard(state.lock);
    return take_from_queue(state, accepted, info);
}

// The order prevents a lost wake-up: hold signals, read `arrivals`, look at `pending`, and only
// then wait. A signal that comes after the look changes `arrivals` or cancels the timer.
bool wait_for_signal(int64_t deadline_ns, SignalSet accepted) {
    RankThread &self = current_rank_thread();
    ThreadSignals &signals = signals_of(self);
    signals.accepted.store(accepted, std::memory_order_relaxed);
    for (;;) {
        signals.held.fetch_add(1, std::memory_order_relaxed);
        // acquire [arrivals-1]: a signal that is not seen in `pending` now changes the word later.
        uint32_t seen =
            rank_signals_of(libc_of(*self.rank)).arrivals.load(std::memory_order_acquire);
        const SignalState *state = signals_or_null(self);
        SignalSet pending = state ? state->pending.load(std::memory_order_relaxed) : 0;
        if (!(pending & (accepted | ~signals.mask.load(std::memory_order_relaxed))))
            wait_early(self, seen, deadline_ns);
        signals.held.fetch_sub(1, std::memory_order_relaxed);
        state = signals_or_null(self);
        bool arrived = state && (state->pending.load(std::memory_order_relaxed) & accepted);
        if (arrived || deliver_signals(self) || now_ns() >= deadline_ns) {
            bool over = !arrived && now_ns() >= deadline_ns;
            signals.accepted.store(0, std::memory_order_relaxed);
            return arrived || !over;
        }
    }
}

void change_mask(RankThread &self, SignalSet mask) {
    signals_of(self).mask.store(mask, std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    deliver_signals(self);
}

// A trampoline of ours is replaced even by the default action, because the child has no signal
// thread.
void hand_signals_to_kernel(RankThread &self) {
    if (SignalState *state = signals_or_null(self)) {
        for (int signal = 1; signal <= signals_max; ++signal) {
            const SignalAction &action = state->actions[signal];
            struct sigaction present = {};
            if (::sigaction(signal, nullptr, &present) != 0)
                continue;
            bool had_none = present.sa_handler == SIG_DFL || present.sa_handler == SIG_IGN;
            if (had_none && !action.is_function() && !action.handler)
                continue;
            struct sigaction real = {};
            real.sa_handler = reinterpret_cast<void (*)(int)>(action.handler);
            real.sa_flags = action.flags;
            real.sa_mask = to_sigset(action.mask);
            ::sigaction(signal, &real, nullptr);
        }
        state->queue.clear();
        state->pending.store(0, std::memory_order_relaxed);
    }
    sigset_t mask = to_sigset(signals_of(self).mask.load(std::memory_order_relaxed));
    ::pthread_sigmask(SIG_SETMASK, &mask, nullptr);
}

} // namespace thrum
