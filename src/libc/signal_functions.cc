// The functions of <signal.h>, and sigsetjmp and longjmp, for one rank (libc/signals.h).
//
// They change the rank's SignalState and the thread's mask, and never the kernel's, except that a
// trampoline is installed before a signal can matter to the rank. Errors are those of the real
// functions. Where there is no rank (no_rank()), the real function is called.
#include "base/check.h"
#include "base/clock.h"
#include "fiber/blocking_call.h"
#include "libc/forked_child.h"
#include "libc/libc_state.h"
#include "libc/signals.h"
#include "libc/streams.h"
#include "rank/contained.h"

#include <cerrno>
#include <climits>
#include <csetjmp>
#include <csignal>
#include <cstdarg>
#include <cstring>
#include <unistd.h>

extern "C" int __libc_current_sigrtmax();
// The C library's checked longjmp(), as programs compiled with -D_FORTIFY_SOURCE call it.
extern "C" [[noreturn]] void __longjmp_chk(__jmp_buf_tag *environment, int value);

namespace thrum {
namespace {

// Signals that glibc uses for itself and hides from programs.
constexpr int first_kept_by_libc = 32, last_kept_by_libc = 33;

// Returns whether the program may use the signal number.
bool is_signal(int signal) {
    return signal > 0 && signal <= signals_max &&
           (signal < first_kept_by_libc || signal > last_kept_by_libc);
}

int fail(int error) {
    errno = error;
    return -1;
}

// Returns whether the real functions must be used: before there are ranks (constructors of
// libraries), and in a child of fork().
bool no_rank() {
    return in_forked_child() || !current_task_or_null;
}

RankThread &self() {
    return current_rank_thread();
}

// ---- actions

SignalAction from_struct(const struct sigaction &action) {
    return {reinterpret_cast<void *>(action.sa_handler), from_sigset(action.sa_mask),
            action.sa_flags};
}

struct sigaction to_struct(const SignalAction &action) {
    struct sigaction result = {};
    result.sa_handler = reinterpret_cast<void (*)(int)>(action.handler);
    result.sa_mask = to_sigset(action.mask);
    result.sa_flags = action.flags;
    return result;
}

// Changes the rank's action and returns the one before. The trampoline comes first: with the action
// alone, a signal that arrives in between would still do what it did to the process.
SignalAction set_action(int signal, const SignalAction &action) MAY_SUSPEND {
    LibcState &libc = current_libc();
    SignalState &state = state_of(rank_signals_of(libc));
    if (action.is_function() || action.handler == reinterpret_cast<void *>(SIG_IGN)) {
        install_trampoline(signal);
        // write() in a handler must not allocate for an unfinished line.
        streams_of(libc).out_stream.reserve_line();
        streams_of(libc).err_stream.reserve_line();
    }
    StateGuard guard(state.lock);
    SignalAction old = state.actions[signal];
    state.actions[signal] = action;
    if (action.ignores(signal)) { // POSIX: a pending signal that is now ignored is discarded
        std::erase_if(state.queue, [signal](const siginfo_t &s) { return s.si_signo == signal; });
        state.pending.fetch_and(~set_of(signal), std::memory_order_relaxed);
    }
    return old;
}

// Before there are ranks this works on the state of the later rank 0.
int override_sigaction(int signal, const struct sigaction *action,
                       struct sigaction *old) MAY_SUSPEND {
    if (in_forked_child())
        return ::sigaction(signal, action, old);
    if (!is_signal(signal) || (action && (signal == SIGKILL || signal == SIGSTOP)))
        return fail(EINVAL);
    SignalAction before;
    if (action) {
        before = set_action(signal, from_struct(*action));
    } else {
        SignalState &state = state_of(rank_signals_of(current_libc()));
        StateGuard guard(state.lock);
        before = state.actions[signal];
    }
    if (old)
        *old = to_struct(before);
    return 0;
}

using Handler = void (*)(int);

Handler set_handler(int signal, Handler handler, int flags) MAY_SUSPEND {
    struct sigaction action = {}, old = {};
    action.sa_handler = handler;
    action.sa_flags = flags;
    return override_sigaction(signal, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}

Handler override_signal(int signal, Handler handler) MAY_SUSPEND {
    if (handler == SIG_ERR || !is_signal(signal)) {
        errno = EINVAL;
        return SIG_ERR;
    }
    return set_handler(signal, handler, SA_RESTART);
}

Handler override_sysv_signal(int signal, Handler handler) MAY_SUSPEND {
    return set_handler(signal, handler, static_cast<int>(SA_RESETHAND | SA_NODEFER));
}

int override_siginterrupt(int signal, int interrupts) MAY_SUSPEND {
    struct sigaction action = {};
    // Changes only the flag, so the handler and its mask are read first.
    if (override_sigaction(signal, nullptr, &action) != 0)
        return -1;
    action.sa_flags = interrupts ? action.sa_flags & ~SA_RESTART : action.sa_flags | SA_RESTART;
    return override_sigaction(signal, &action, nullptr);
}

// The kernel's alternate stack belongs to the worker (crash reports). The rank's is only
// remembered, and call_handler() switches to it.
int override_sigaltstack(const stack_t *stack, stack_t *old) {
    if (no_rank())
        return ::sigaltstack(stack, old);
    ThreadSignals &signals = signals_of(self());
    auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
    auto low = reinterpret_cast<uintptr_t>(signals.alternate_low);
    bool on_it = signals.has_alternate && here > low && here <= low + signals.alternate_bytes;
    if (old) {
        old->ss_sp = signals.alternate_low;
        old->ss_size = signals.alternate_bytes;
        old->ss_flags = !signals.has_alternate ? SS_DISABLE : on_it ? SS_ONSTACK : 0;
    }
    if (!stack)
        return 0;
    if (on_it)
        return fail(EPERM);
    bool disable = stack->ss_flags & SS_DISABLE;
    if (!disable && stack->ss_size < static_cast<size_t>(MINSIGSTKSZ))
        return fail(ENOMEM);
    signals.has_alternate = !disable;
    signals.alternate_low = disable ? nullptr : stack->ss_sp;
    signals.alternate_bytes = disable ? 0 : stack->ss_size;
    return 0;
}

// ---- masks

// Installs trampolines for newly blocked signals. One that is blocked must not end the process
// while it waits to be fetched, and the kernel does not know that the rank blocks it.
void install_for_blocked(SignalSet blocked) {
    for (; blocked; blocked &= blocked - 1) {
        int signal = __builtin_ctzll(blocked) + 1;
        if (is_signal(signal) && default_action(signal) == DefaultAction::Terminate)
            install_trampoline(signal);
    }
}

// Changes the thread's mask, which may run handlers at once. Returns 0 or EINVAL.
int override_pthread_sigmask(int how, const sigset_t *set, sigset_t *old) {
    if (no_rank())
        return ::pthread_sigmask(how, set, old);
    RankThread &thread = self();
    SignalSet before = signals_of(thread).mask.load(std::memory_order_relaxed);
    SignalSet given = set ? from_sigset(*set) : 0;
    if (old)
        *old = to_sigset(before);
    if (!set)
        return 0;
    switch (how) {
    case SIG_BLOCK:
        given |= before;
        break;
    case SIG_UNBLOCK:
        given = before & ~given;
        break;
    case SIG_SETMASK:
        break;
    default:
        return EINVAL;
    }
    install_for_blocked(given & ~before);
    change_mask(thread, given);
    return 0;
}

int override_sigprocmask(int how, const sigset_t *set, sigset_t *old) {
    int error = override_pthread_sigmask(how, set, old);
    return error ? fail(error) : 0;
}

int override_sigpending(sigset_t *set) {
    if (no_rank())
        return ::sigpending(set);
    SignalState &state = state_of(rank_signals_of(current_libc()));
    *set = to_sigset(state.pending.load(std::memory_order_relaxed) &
                     signals_of(self()).mask.load(std::memory_order_relaxed));
    return 0;
}

// The BSD and System V forms change the mask by a signal or by the first 32 bits.
int change_one(int how, int signal) {
    sigset_t set;
    ::sigemptyset(&set);
    if (::sigaddset(&set, signal) != 0)
        return -1;
    return override_sigprocmask(how, &set, nullptr);
}

int override_sighold(int signal) {
    return change_one(SIG_BLOCK, signal);
}

int override_sigrelse(int signal) {
    return change_one(SIG_UNBLOCK, signal);
}

int override_sigignore(int signal) MAY_SUSPEND {
    return set_handler(signal, SIG_IGN, 0) == SIG_ERR ? -1 : 0;
}

// System V: sets the action and unblocks the signal; SIG_HOLD blocks it and leaves the action.
Handler override_sigset(int signal, Handler disposition) MAY_SUSPEND {
    sigset_t mask;
    override_sigprocmask(SIG_BLOCK, nullptr, &mask);
    bool was_blocked = ::sigismember(&mask, signal) == 1;
    struct sigaction old = {};
    if (disposition == SIG_HOLD) {
        if (override_sigaction(signal, nullptr, &old) != 0 || change_one(SIG_BLOCK, signal) != 0)
            return SIG_ERR;
    } else {
        old.sa_handler = set_handler(signal, disposition, 0);
        if (old.sa_handler == SIG_ERR || change_one(SIG_UNBLOCK, signal) != 0)
            return SIG_ERR;
    }
    return was_blocked ? SIG_HOLD : old.sa_handler;
}

int override_sigblock(int mask) {
    auto old = static_cast<int>(signals_of(self()).mask.load(std::memory_order_relaxed));
    sigset_t set = to_sigset(static_cast<unsigned>(mask));
    override_sigprocmask(SIG_BLOCK, &set, nullptr);
    return old;
}

int override_sigsetmask(int mask) {
    auto old = static_cast<int>(signals_of(self()).mask.load(std::memory_order_relaxed));
    sigset_t set = to_sigset(static_cast<unsigned>(mask));
    override_sigprocmask(SIG_SETMASK, &set, nullptr);
    return old;
}

// ---- waiting for signals

// Waits with `mask` until a handler has run, then restores the mask. Always fails with EINTR.
int suspend_with_mask(SignalSet mask) MAY_SUSPEND {
    ThreadSignals &signals = signals_of(self());
    SignalSet old = signals.mask.load(std::memory_order_relaxed);
    install_for_blocked(mask & ~old);
    signals.mask.store(mask, std::memory_order_relaxed);
    while (!wait_for_signal(INT64_MAX)) {
    }
    change_mask(self(), old);
    return fail(EINTR);
}

int override_sigsuspend(const sigset_t *mask) MAY_SUSPEND {
    return no_rank() ? ::sigsuspend(mask) : suspend_with_mask(from_sigset(*mask));
}

int override_pause() MAY_SUSPEND {
    if (no_rank())
        return ::pause();
    return suspend_with_mask(signals_of(self()).mask.load(std::memory_order_relaxed));
}

// System V's sigpause(signal) waits with the mask as it is, without that signal.
int override_sigpause(int signal) MAY_SUSPEND {
    if (no_rank())
        return fail(EINVAL);
    return suspend_with_mask(signals_of(self()).mask.load(std::memory_order_relaxed) &
                             ~set_of(signal));
}

// Takes a pending signal of `set`, and waits for one if there is none. Returns its number, or -1
// with EAGAIN at the deadline or EINTR if another handler has run. Two threads of the rank may wait
// for the same signal, so that a woken one may find it gone.
int fetch_signal(const sigset_t *set, siginfo_t *info, int64_t deadline_ns) MAY_SUSPEND {
    SignalSet accepted = from_sigset(*set);
    siginfo_t found;
    install_for_blocked(accepted);
    while (!take_signal(self(), accepted, found)) {
        bool woken = wait_for_signal(deadline_ns, accepted);
        if (take_signal(self(), accepted, found))
            break;
        if (now_ns() >= deadline_ns)
            return fail(EAGAIN);
        if (woken)
            return fail(EINTR);
    }
    if (info)
        *info = found;
    return found.si_signo;
}

int override_sigwaitinfo(const sigset_t *set, siginfo_t *info) MAY_SUSPEND {
    return no_rank() ? ::sigwaitinfo(set, info) : fetch_signal(set, info, INT64_MAX);
}

int override_sigtimedwait(const sigset_t *set, siginfo_t *info,
                          const timespec *timeout) MAY_SUSPEND {
    if (no_rank())
        return ::sigtimedwait(set, info, timeout);
    constexpr int64_t second_ns = 1'000'000'000;
    if (timeout && (timeout->tv_nsec < 0 || timeout->tv_nsec >= second_ns))
        return fail(EINVAL);
    int64_t deadline_ns =
        timeout ? now_ns() + timeout->tv_sec * second_ns + timeout->tv_nsec : INT64_MAX;
    return fetch_signal(set, info, deadline_ns);
}

int override_sigwait(const sigset_t *set, int *signal) MAY_SUSPEND {
    if (no_rank())
        return ::sigwait(set, signal);
    int fetched;
    do
        fetched = fetch_signal(set, nullptr, INT64_MAX);
    while (fetched < 0 && errno == EINTR);
    if (fetched < 0)
        return errno;
    *signal = fetched;
    return 0;
}

int override_signalfd(int, const sigset_t *, int) {
    report("rank %d called signalfd(), which does not receive a rank's signals; use sigwaitinfo() "
           "in a thread",
           current_rank().world_rank);
    return fail(ENOSYS);
}

// ---- sending

// Returns what the kernel would say of a signal that this process has sent.
siginfo_t made_by_us(int signal, int code) {
    siginfo_t info = {};
    info.si_signo = signal;
    info.si_code = code;
    info.si_pid = ::getpid();
    info.si_uid = ::getuid();
    return info;
}

// Sends a signal to the calling rank. Signal 0 only asks whether the receiver exists.
int send_to_self(const siginfo_t &info) {
    int signal = info.si_signo;
    if (signal == 0)
        return 0;
    if (!is_signal(signal))
        return fail(EINVAL);
    if (signal == SIGKILL || signal == SIGSTOP)
        return ::kill(::getpid(), signal); // nothing less than the process
    send_to_rank(current_rank(), info);
    return 0;
}

int override_raise(int signal) {
    return no_rank() ? ::raise(signal) : send_to_self(made_by_us(signal, SI_TKILL));
}

// The process's own number means the calling rank. Other ranks have no number of their own.
int override_kill(pid_t pid, int signal) {
    if (no_rank() || pid != ::getpid())
        return ::kill(pid, signal);
    return send_to_self(made_by_us(signal, SI_USER));
}

int override_tgkill(pid_t process, pid_t thread, int signal) {
    if (no_rank() || process != ::getpid() || thread != ::gettid())
        return ::tgkill(process, thread, signal);
    return send_to_self(made_by_us(signal, SI_TKILL));
}

int override_sigqueue(pid_t pid, int signal, const sigval value) {
    if (no_rank() || pid != ::getpid())
        return ::sigqueue(pid, signal, value);
    siginfo_t info = made_by_us(signal, SI_QUEUE);
    info.si_value = value;
    return send_to_self(info);
}

// Returns whether `thread` is the rank's main thread, whose pthread_t is the thread block of its
// fiber. The real functions would take that for a thread of the kernel.
bool is_own_fiber(pthread_t thread) {
    const Rank &rank = current_rank();
    return rank.kind == TaskKind::Fiber && reinterpret_cast<void *>(thread) == rank.thread_pointer;
}

int override_pthread_kill(pthread_t thread, int signal) {
    if (no_rank() || (!is_own_fiber(thread) && thread != ::pthread_self()))
        return ::pthread_kill(thread, signal);
    return send_to_self(made_by_us(signal, SI_TKILL)) == 0 ? 0 : errno;
}

int override_pthread_sigqueue(pthread_t thread, int signal, const sigval value) {
    if (no_rank() || (!is_own_fiber(thread) && thread != ::pthread_self()))
        return ::pthread_sigqueue(thread, signal, value);
    siginfo_t info = made_by_us(signal, SI_QUEUE);
    info.si_value = value;
    return send_to_self(info) == 0 ? 0 : errno;
}

// ---- sigsetjmp and longjmp

// The word of __saved_mask that holds the rank's mask: the kernel's mask has only word 0.
constexpr size_t rank_mask_word = 1;

// Returns the stack pointer that a jump sets. The C library keeps it encrypted with the thread's
// pointer guard (PTR_MANGLE).
uintptr_t stack_pointer_of(const __jmp_buf_tag &environment) {
    constexpr int place = 6, rotation = 17; // JB_RSP
    auto word = static_cast<uintptr_t>(environment.__jmpbuf[place]);
    uintptr_t guard;
    __asm__("mov %%fs:0x30, %0" : "=r"(guard));
    return ((word >> rotation) | (word << (64 - rotation))) ^ guard;
}

// Ends a rank of a run that would jump to another stack, which is the caller's: the jump would take
// the rank's worker along.
void refuse_jump_out_of_run(const __jmp_buf_tag &environment) {
    Contained *self = contained_caller();
    if (!self)
        return;
    const uintptr_t target = stack_pointer_of(environment);
    if (target < reinterpret_cast<uintptr_t>(self->rank->stack_low) ||
        target >= reinterpret_cast<uintptr_t>(self->rank->stack_high))
        end_contained(*self, RankEnd::Asserted, 0,
                      "longjmp() out of the function of the rank, to the stack of another one");
}

// Leaves what the rank is in the middle of before it jumps: blocking calls (the fiber returns to
// its worker) and the MPI call that is recorded for reports. Restores the rank's mask last, since
// that may run handlers.
[[noreturn]] void override_longjmp(__jmp_buf_tag *environment, int value) MAY_SUSPEND {
    auto *thread = static_cast<RankThread *>(current_task_or_null);
    if (thread && !in_forked_child()) {
        refuse_jump_out_of_run(*environment);
        ThreadSignals &signals = signals_of(*thread);
        if (signals.visited.load(std::memory_order_relaxed))
            die(2,
                "rank %d called longjmp() in a signal handler that interrupted a blocking MPI "
                "call: the call cannot be abandoned. Set a flag in the handler, or end the rank "
                "there",
                thread->rank->world_rank);
        {
            SignalHold hold;
            abandon_blocking_calls();
        }
        // The MPI call whose callback or handler is left is over.
        thread->call.function.store(0, std::memory_order_relaxed);
        if (environment->__mask_was_saved)
            change_mask(*thread, environment->__saved_mask.__val[rank_mask_word]);
    }
    ::siglongjmp(environment, value);
}

[[noreturn]] void override_longjmp_chk(__jmp_buf_tag *environment, int value) MAY_SUSPEND {
    auto *thread = static_cast<RankThread *>(current_task_or_null);
    if (!thread || in_forked_child())
        __longjmp_chk(environment, value);
    override_longjmp(environment, value);
}

const FunctionOverride table[] = {
    OVERRIDE("sigaction", override_sigaction),
    OVERRIDE("__sigaction", override_sigaction),
    OVERRIDE("signal", override_signal),
    OVERRIDE("bsd_signal", override_signal),
    OVERRIDE("ssignal", override_signal),
    OVERRIDE("sysv_signal", override_sysv_signal),
    OVERRIDE("__sysv_signal", override_sysv_signal),
    OVERRIDE("siginterrupt", override_siginterrupt),
    OVERRIDE("sigaltstack", override_sigaltstack),
    OVERRIDE("pthread_sigmask", override_pthread_sigmask),
    OVERRIDE("sigprocmask", override_sigprocmask),
    OVERRIDE("sigpending", override_sigpending),
    OVERRIDE("sighold", override_sighold),
    OVERRIDE("sigrelse", override_sigrelse),
    OVERRIDE("sigignore", override_sigignore),
    OVERRIDE("sigset", override_sigset),
    OVERRIDE("sigblock", override_sigblock),
    OVERRIDE("sigsetmask", override_sigsetmask),
    OVERRIDE("sigsuspend", override_sigsuspend),
    OVERRIDE("__sigsuspend", override_sigsuspend),
    OVERRIDE("pause", override_pause),
    OVERRIDE("__xpg_sigpause", override_sigpause),
    OVERRIDE("sigwait", override_sigwait),
    OVERRIDE("sigwaitinfo", override_sigwaitinfo),
    OVERRIDE("sigtimedwait", override_sigtimedwait),
    OVERRIDE("signalfd", override_signalfd),
    OVERRIDE("raise", override_raise),
    OVERRIDE("gsignal", override_raise),
    OVERRIDE("kill", override_kill),
    OVERRIDE("tgkill", override_tgkill),
    OVERRIDE("sigqueue", override_sigqueue),
    OVERRIDE("pthread_kill", override_pthread_kill),
    OVERRIDE("pthread_sigqueue", override_pthread_sigqueue),
    OVERRIDE("__sigsetjmp", thrum_sigsetjmp),
    OVERRIDE("sigsetjmp", thrum_sigsetjmp),
    OVERRIDE("longjmp", override_longjmp),
    OVERRIDE("_longjmp", override_longjmp),
    OVERRIDE("siglongjmp", override_longjmp),
    OVERRIDE("__libc_longjmp", override_longjmp),
    OVERRIDE("__libc_siglongjmp", override_longjmp),
    OVERRIDE("__longjmp_chk", override_longjmp_chk),
};

} // namespace

LIBC_FUNCTIONS(table);

} // namespace thrum

// Called by thrum_sigsetjmp, before the C library's function fills the rest of `environment`.
extern "C" [[gnu::visibility("hidden")]] void thrum_note_mask_for_jump(__jmp_buf_tag *environment) {
    using namespace thrum;
    const auto *thread = static_cast<RankThread *>(current_task_or_null);
    environment->__saved_mask.__val[rank_mask_word] =
        thread ? signals_of(*thread).mask.load(std::memory_order_relaxed) : 0;
}
