// Signals of a rank: actions, masks and pending signals that the kernel keeps once per process.
//
//   sent by                        how it gets there
//   raise, kill(getpid()) ...      send_to_rank(): at once, on the calling thread
//   alarm, setitimer, timer_create the signal thread (signal_thread.cc)
//   another process, the terminal  the process's trampoline -> signal thread -> every rank that has
//                                  a handler; SIGCHLD: the ranks whose child has ended or stopped
//   a fault, a broken pipe         the process's trampoline -> the rank that runs there
//
// The handler runs on the rank's own stack, as in a process, whatever the rank is doing:
//   it computes       the signal thread interrupts its OS thread with a signal of our own (kick)
//   it is runnable    when it is resumed
//   it waits          in sleep(), pause() ...: it is woken; in MPI: the signal thread visits it
//                     (fiber/visit.h), and it goes on waiting
//
// Invariants
// 1. No handler runs while its thread holds one of our locks: a thread that takes one holds signals
//    (SignalHold), and a kick that finds it inside libmpi or inside an MPI call comes again later.
// 2. The kernel's mask of threads that run ranks stays empty: what a rank blocks is in its
//    ThreadSignals. Kicks do not block themselves, so a handler may be left by longjmp().
// 3. A trampoline is installed for a signal once some rank has something other than the default
//    for it, and passes on to what was there before (crash reports) where no rank has a handler.
#pragma once
#include "base/spinlock.h"
#include "libc/libc_state.h"

#include <csignal>
#include <memory>
#include <ucontext.h>
#include <vector>

namespace thrum {

constexpr int signals_max = 64;

// A set of signals as the kernel keeps it: bit n-1 is signal n.
using SignalSet = uint64_t;

constexpr SignalSet set_of(int signal) {
    return SignalSet{1} << (signal - 1);
}

SignalSet from_sigset(const sigset_t &set);
sigset_t to_sigset(SignalSet set);

// What the kernel would keep of signals for a thread. Written by the thread itself; read by the
// signal thread.
struct ThreadSignals {
    std::atomic<uint64_t> mask{0};     // blocked
    std::atomic<uint64_t> accepted{0}; // sigwait() waits for these
    std::atomic<unsigned> held{0};     // SignalHold: no handler may run now
    std::atomic<bool> visited{false}; // its handler runs on its stack while it waits: no suspension
    bool restarts = false;            // the last handler that ran: SA_RESTART
    bool has_alternate = false;       // sigaltstack()
    void *alternate_low = nullptr;
    size_t alternate_bytes = 0;
};

inline ThreadSignals &signals_of(RankThread &thread) {
    return thread.libc.as<ThreadSignals>();
}

inline const ThreadSignals &signals_of(const RankThread &thread) {
    return thread.libc.as<ThreadSignals>();
}

enum class DefaultAction { Ignore, Stop, Terminate, Report }; // Report: as a crash
DefaultAction default_action(int signal);

struct SignalAction {
    void *handler = nullptr; // SIG_DFL, SIG_IGN or a function
    SignalSet mask = 0;
    int flags = 0;

    bool is_function() const {
        return handler != reinterpret_cast<void *>(SIG_DFL) &&
               handler != reinterpret_cast<void *>(SIG_IGN);
    }

    bool ignores(int signal) const {
        return handler == reinterpret_cast<void *>(SIG_IGN) ||
               (!is_function() && default_action(signal) == DefaultAction::Ignore);
    }
};

// Made when a rank first changes an action or is sent a signal.
struct SignalState {
    SpinLock lock; // guards actions and queue; taken with signals held
    SignalAction actions[signals_max + 1];
    std::vector<siginfo_t> queue;        // pending, oldest first; a standard signal once
    std::atomic<SignalSet> pending{0};   // the signals in `queue`
    std::atomic<bool> being_told{false}; // the signal thread has the rank on its list
};

// What the kernel would keep of signals for a process.
struct RankSignals {
    std::atomic<SignalState *> state{nullptr}; // made on use
    std::atomic<uint32_t> arrivals{0};         // changes whenever a signal is sent to the rank

    bool is_referred_to() const { return state.load(std::memory_order_acquire); } // [signals-1]
};

RankSignals &rank_signals_of(LibcState &state);
// nullptr: the rank keeps the real C library.
RankSignals *own_signals_of(const Rank &rank);

// Whether the real functions must hold the thread: in a child of fork(), and in a handler that runs
// while its rank waits.
bool cannot_park();

// ---- signals.cc: what a rank does with its signals

// The state, made if need be.
SignalState &state_of(RankSignals &signals);

// The two halves of send_to_rank(). queue_signal() decides by the rank's action as it is now, and
// may be called under the lock of its LibcState; false: the rank ignores the signal.
bool queue_signal(Rank &rank, const siginfo_t &info);
void announce_signal(Rank &rank);

// Sends `info.si_signo` to a rank. May be called by a thread of a rank or by the signal thread, not
// in a trampoline. Runs the handler now if the calling thread belongs to the rank.
void send_to_rank(Rank &rank, const siginfo_t &info);

// Runs the handlers of all pending signals that `self`, the calling thread, has not blocked.
// `context` is what the kernel has handed to a trampoline, or nullptr. Returns whether one has run.
bool deliver_signals(RankThread &self, void *context = nullptr);
// Whether deliver_signals() would find one.
bool has_deliverable_signal(const RankThread &self);

// The action's handler, with its mask, on its stack; the default action if there is none.
void run_action(RankThread &self, const SignalAction &action, siginfo_t info, void *context);
// The rank's action for `signal` (reset if SA_RESETHAND asks for it, when `use` is true).
SignalAction action_of(RankThread &self, int signal, bool use);

// Waits until `deadline_ns` or until a handler has run; true if one has. `accepted` are signals
// that end the wait although they are blocked (sigwait); they stay pending.
bool wait_for_signal(int64_t deadline_ns, SignalSet accepted = 0) MAY_SUSPEND;
// Takes a pending signal of `accepted` from the rank's queue; false if there is none.
bool take_signal(RankThread &self, SignalSet accepted, siginfo_t &info);
void change_mask(RankThread &self, SignalSet mask); // and delivers what that unblocks

// In a child of fork(): the kernel gets the actions and the mask of the rank.
void hand_signals_to_kernel(RankThread &self);

// For the length of a scope, no handler runs on the calling thread; those that are due run at its
// end. Around our own locks, and around waits of overrides, which may then end early.
class [[nodiscard]] SignalHold {
public:
    // Nothing on a thread of no rank, and before there are ranks.
    SignalHold() : self_(static_cast<RankThread *>(current_task_or_null)) {
        if (self_)
            signals_of(*self_).held.store(signals_of(*self_).held.load(std::memory_order_relaxed) +
                                              1,
                                          std::memory_order_relaxed);
        std::atomic_signal_fence(std::memory_order_seq_cst);
    }

    ~SignalHold() {
        std::atomic_signal_fence(std::memory_order_seq_cst);
        if (!self_)
            return;
        unsigned held = signals_of(*self_).held.load(std::memory_order_relaxed) - 1;
        signals_of(*self_).held.store(held, std::memory_order_relaxed);
        if (held == 0 && has_deliverable_signal(*self_)) [[unlikely]]
            deliver_signals(*self_);
    }

    SignalHold(const SignalHold &) = delete;
    SignalHold &operator=(const SignalHold &) = delete;

private:
    RankThread *self_;
};

// Scope of a lock of a rank's C-library state.
class [[nodiscard]] StateGuard {
public:
    explicit StateGuard(SpinLock &lock) : guard_(lock) {}

private:
    SignalHold hold_; // ends last
    LockGuard guard_;
};

// ---- signal_thread.cc: the process's part

// What the kernel does with `signal` goes through us from now on.
void install_trampoline(int signal);
// The signal thread sends SIGCHLD where it is due.
void look_for_ended_children();
// The signal thread looks after this rank until nothing is deliverable there.
void tell_signal_thread(Rank &rank);
// Does what the process would do without us: a crash report, the summary of Ctrl-C, or the default.
void do_process_action(int signal, siginfo_t *info, void *context);
// The default action of a process or of what was there before us, for a signal that a rank has
// raised.
void do_default_action(RankThread &self, const siginfo_t &info, void *context);

// ---- fault_frame.cc: handlers of faults

// Makes the return from a trampoline, which runs on the worker's signal stack, lead into the
// handler of `action` on the rank's stack, or on its alternate one. False: that stack has no room.
bool enter_fault_handler(RankThread &self, const SignalAction &action, const siginfo_t &info,
                         ucontext_t &context);
// Handlers may suspend, and go on with another worker, whose signal stack must stay its own when
// the kernel returns from the trampoline.
void keep_signal_stack(ucontext_t &context);

// A time at which the signal thread calls `fire`, which says when to call it next (0: never). The
// owner keeps the memory for ever.
struct Alarm {
    int64_t deadline_ns = 0; // of the monotonic clock; 0: not armed. Guarded by the thread's lock.
    unsigned armed = 0;      // how often; also by disarming
    int64_t (*fire)(Alarm &alarm) = nullptr;
};

void arm_alarm(Alarm &alarm, int64_t deadline_ns); // 0: disarm

// ---- signal_frame: what C++ cannot say

extern "C" {
// __sigsetjmp() with the rank's mask.
void thrum_sigsetjmp();
// Calls function(signal, info, context) on the stack that ends at `stack_high`.
void thrum_call_on_stack(int signal, siginfo_t *info, void *context, void *function,
                         void *stack_high);
// The return address of a fault's handler: rt_sigreturn(2) to the context above it on the stack.
void thrum_return_from_fault();
}

} // namespace thrum
