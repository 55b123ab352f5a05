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
// 3. A trampoline is installed for a signal once some rank has something other than the default for
//    it. Where no rank has a handler, it passes the signal to what was there before (crash
//    reports).
#pragma once
#include "base/spinlock.h"
#include "libc/libc_state.h"

#include <csignal>
#include <memory>
#include <ucontext.h>
#include <vector>

namespace thrum {

constexpr int signals_max = 64; // the highest signal number of Linux on x86-64

// A set of signals as the kernel keeps it: bit n-1 is signal n.
using SignalSet = uint64_t;

constexpr SignalSet set_of(int signal) {
    return SignalSet{1} << (signal - 1);
}

// Convert to and from glibc's type. from_sigset() leaves out SIGKILL and SIGSTOP, which cannot be
// blocked.
SignalSet from_sigset(const sigset_t &set);
sigset_t to_sigset(SignalSet set);

// What the kernel would keep of signals for a thread. Written by the thread itself; read by the
// signal thread.
struct ThreadSignals {
    std::atomic<uint64_t> mask{0};     // blocked
    std::atomic<uint64_t> accepted{0}; // sigwait() waits for these
    std::atomic<unsigned> held{0};     // SignalHold: no handler may run now
    std::atomic<bool> visited{false}; // its handler runs on its stack while it waits: no suspension
    bool restarts = false;            // the last handler that ran has SA_RESTART
    bool has_alternate = false;       // sigaltstack()
    void *alternate_low = nullptr;
    size_t alternate_bytes = 0;
};

// Returns the state of a thread of a rank. It lies in the task itself, so that a trampoline finds
// it without a lock.
inline ThreadSignals &signals_of(RankThread &thread) {
    return thread.libc.as<ThreadSignals>();
}

inline const ThreadSignals &signals_of(const RankThread &thread) {
    return thread.libc.as<ThreadSignals>();
}

enum class DefaultAction { Ignore, Stop, Terminate, Report }; // Report: as a crash
// Returns what the kernel does with a signal that has no handler.
DefaultAction default_action(int signal);

// What a rank does with one signal, as struct sigaction says it.
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

// What a rank does with its signals, and those that are pending. Made when a rank first changes an
// action or is sent a signal, and never freed while the rank's C-library state lives.
struct SignalState {
    SpinLock lock; // guards `actions` and `queue`; taken with signals held
    SignalAction actions[signals_max + 1];
    std::vector<siginfo_t> queue;        // pending, oldest first; a standard signal once
    std::atomic<SignalSet> pending{0};   // the signals in `queue`
    std::atomic<bool> being_told{false}; // the signal thread has the rank on its list
};

// What the kernel would keep of signals for a process. Part of the rank's C-library state.
struct RankSignals {
    std::atomic<SignalState *> state{nullptr}; // made on use; [signals-1]
    std::atomic<uint32_t> arrivals{0};         // changes whenever a signal is sent to the rank

    bool is_referred_to() const { return state.load(std::memory_order_acquire); } // [signals-1]
};

// Returns the signals of the rank with this state.
RankSignals &rank_signals_of(LibcState &state);
// Returns the signals of a rank, or nullptr if the rank keeps the real C library (a single rank).
RankSignals *own_signals_of(const Rank &rank);

// Returns whether the real functions must hold the thread: in a child of fork(), and in a handler
// that runs while its rank waits.
bool cannot_park();

// ---- signals.cc: what a rank does with its signals

// Returns the state; the first call makes it. Any thread.
SignalState &state_of(RankSignals &signals);

// The two halves of send_to_rank(). queue_signal() decides by the rank's action as it is now, and
// may be called under the lock of its LibcState. It returns false if the rank ignores the signal;
// otherwise announce_signal() must follow, without the lock.
bool queue_signal(Rank &rank, const siginfo_t &info);
void announce_signal(Rank &rank);

// Sends `info.si_signo` to a rank. May be called by a thread of a rank or by the signal thread, not
// in a trampoline. Runs the handler now if the calling thread belongs to the rank.
void send_to_rank(Rank &rank, const siginfo_t &info);

// Runs the handlers of all pending signals that `self`, the calling thread, has not blocked.
// `context` is what the kernel has handed to a trampoline, or nullptr. Returns whether one has run.
bool deliver_signals(RankThread &self, void *context = nullptr);
// Returns whether deliver_signals() would find one.
bool has_deliverable_signal(const RankThread &self);

// Runs the action's handler on the calling thread, with its mask and on its stack; does the default
// action if there is no handler. Keeps errno.
void run_action(RankThread &self, const SignalAction &action, siginfo_t info, void *context);
// Returns the rank's action for `signal`. `use`: it is about to run, so SA_RESETHAND resets it.
SignalAction action_of(RankThread &self, int signal, bool use);

// Waits until `deadline_ns` (INT64_MAX: for ever) or until a handler has run; returns true if one
// has. `accepted` are signals that end the wait although they are blocked (sigwait); they stay
// pending, and the result is true.
bool wait_for_signal(int64_t deadline_ns, SignalSet accepted = 0) MAY_SUSPEND;
// Takes a pending signal of `accepted` from the rank's queue; false if there is none.
bool take_signal(RankThread &self, SignalSet accepted, siginfo_t &info);
// Sets what the calling thread blocks, and delivers what that unblocks.
void change_mask(RankThread &self, SignalSet mask);

// Gives the kernel the actions and the mask of the rank, in a child of fork(). Pending signals are
// not inherited.
void hand_signals_to_kernel(RankThread &self);

// Keeps handlers from running on the calling thread for the length of a scope; those that are due
// run at its end. It stands around our own locks, and around waits of overrides, which may then end
// early.
class [[nodiscard]] SignalHold {
public:
    // Does nothing on a thread of no rank, and before there are ranks. Load and store suffice: only
    // the thread itself and handlers on it change the count, and a handler restores it. The fence
    // keeps the compiler from moving the guarded code out of the scope.
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

// Holds a lock of a rank's C-library state for the length of a scope, with signals held.
class [[nodiscard]] StateGuard {
public:
    explicit StateGuard(SpinLock &lock) : guard_(lock) {}

private:
    SignalHold hold_; // ends last: handlers run without the lock
    LockGuard<> guard_;
};

// ---- signal_thread.cc: the process's part

// Makes the kernel deliver `signal` to us from now on. Does nothing if that is so already. Starts
// the signal thread.
void install_trampoline(int signal);
// Makes the signal thread send SIGCHLD to the ranks whose children have ended or stopped.
void look_for_ended_children();
// Makes the signal thread try to deliver the rank's signals until nothing is deliverable there.
void tell_signal_thread(Rank &rank);
// Does what the process would do without us: a crash report, the summary of Ctrl-C, or the default.
void do_process_action(int signal, siginfo_t *info, void *context);
// Does the default action, or what was there before us, for a signal that a rank has raised. Ends
// the job for signals that would end a process.
void do_default_action(RankThread &self, const siginfo_t &info, void *context);

// ---- fault_frame.cc: handlers of faults

// Changes `context` so that the return from a trampoline, which runs on the worker's signal stack,
// leads into the handler of `action` on the rank's stack, or on its alternate one. Returns false if
// that stack has no room.
bool enter_fault_handler(RankThread &self, const SignalAction &action, const siginfo_t &info,
                         ucontext_t &context);
// Makes the kernel keep the calling thread's signal stack when it returns from a trampoline. A
// handler may have suspended and gone on with another worker, whose signal stack must stay its own.
void keep_signal_stack(ucontext_t &context);

// Interrupts the thread on which a condemned rank of a run is running, so that it is looked at
// (rank/contained.h). Does nothing if the rank waits. Any thread.
void kick_condemned(const Rank &rank);

// A time at which the signal thread calls `fire`. The owner keeps the memory for ever.
struct Alarm {
    int64_t deadline_ns = 0; // monotonic clock; 0: not armed. Guarded by the thread's lock
    unsigned armed = 0;      // counts calls of arm_alarm(), also those that disarm
    int64_t (*fire)(Alarm &alarm) = nullptr; // returns when to call it next; 0: never
};

// Sets when the alarm fires (0: not at all), in place of an earlier setting. An armed alarm counts
// as a pending timer: the process is not quiescent.
void arm_alarm(Alarm &alarm, int64_t deadline_ns);

// ---- signal_frame: what C++ cannot say

extern "C" {
// Does what __sigsetjmp() does, and saves the rank's mask (thrum_note_mask_for_jump()).
void thrum_sigsetjmp();
// Calls function(signal, info, context) on the stack that ends at `stack_high`.
void thrum_call_on_stack(int signal, siginfo_t *info, void *context, void *function,
                         void *stack_high);
// The return address of a fault's handler: calls rt_sigreturn(2) with the context above it on the
// stack.
void thrum_return_from_fault();
}

} // namespace thrum
