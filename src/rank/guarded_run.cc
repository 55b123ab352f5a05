// Guards attempts by signal handlers and a timer (guarded_run.h). Everything here must work in a
// signal handler: no allocation, no lock.
#include "rank/guarded_run.h"

#include "rank/job_end.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

namespace thrum {
namespace {

constexpr int tick_signal = SIGVTALRM; // a timer of the program no longer matters
constexpr long tick_ns = 50'000'000;
constexpr unsigned waiting_ticks_max = 3; // 150 ms
constexpr unsigned busy_ticks_max = 40;   // 2 s

// Written by the thread that has made it. Threads whose handlers read them must not touch the
// object, which may be gone.
std::atomic<GuardedRun *> the_run{nullptr};
std::atomic<pid_t> its_process{0}, its_thread{0};

// Frees a lock of the C library, whose owner never goes on. `word` is a plain lock, or the first
// word of a pthread_mutex_t, which has its owner's thread id behind it. (Behind malloc's is a flag,
// 0 or 1.)
void free_lock(uint32_t *word) {
    constexpr size_t owner_at = offsetof(pthread_mutex_t, __data.__owner) / sizeof *word;
    if (word[owner_at] > 1)
        word[owner_at] = 0;
    std::atomic_ref(*word).store(0, std::memory_order_relaxed);
}

// Does the signal's default action: in a child of fork(), which has inherited the handlers, and
// outside attempts.
void die_by(int signal) {
    ::signal(signal, SIG_DFL);
    ::raise(signal);
}

} // namespace

// SA_ONSTACK: the fault may be that of a full stack. SA_NODEFER: handlers are left by siglongjmp().
GuardedRun::GuardedRun() {
    its_process.store(::getpid(), std::memory_order_relaxed);
    its_thread.store(::gettid(), std::memory_order_relaxed);
    the_run.store(this, std::memory_order_relaxed);
    struct sigaction action = {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    for (size_t i = 0; i < std::size(signals); ++i)
        ::sigaction(signals[i], &action, &old_actions_[i]);
    action.sa_sigaction = on_tick;
    action.sa_flags |= SA_RESTART;
    ::sigaction(tick_signal, &action, &old_tick_action_);
    sigset_t set;
    ::sigemptyset(&set);
    ::sigaddset(&set, tick_signal);
    ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
    start_ticks();
}

GuardedRun::~GuardedRun() {
    if (timer_ >= 0)
        ::syscall(SYS_timer_delete, timer_);
    for (size_t i = 0; i < std::size(signals); ++i)
        ::sigaction(signals[i], &old_actions_[i], nullptr);
    ::signal(tick_signal, SIG_IGN); // discards one that is on its way
    if (!end_is_claimed())
        ::sigaction(tick_signal, &old_tick_action_, nullptr); // the process goes on
    the_run.store(nullptr, std::memory_order_relaxed);
}

// Calls the kernel directly, because timer_create() of the C library allocates.
void GuardedRun::start_ticks() {
    sigevent event = {};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = tick_signal;
    event._sigev_un._tid = ::gettid();
    const itimerspec period = {{0, tick_ns}, {0, tick_ns}};
    if (::syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &timer_) != 0)
        timer_ = -1;
    else
        ::syscall(SYS_timer_settime, timer_, 0, &period, nullptr);
}

bool GuardedRun::attempt(void (*function)(void *), void *argument) {
    waiting_ticks_ = busy_ticks_ = 0;
    if (sigsetjmp(start_of_attempt_, 0) != 0) { // the handlers block nothing
        is_attempting_ = 0;
        return false;
    }
    is_attempting_ = 1;
    function(argument);
    is_attempting_ = 0;
    return true;
}

// A fault of another thread waits. If the job ends it is not reported; else it is handled when this
// has ended (it was a report of a rank whose end the process outlives).
void GuardedRun::on_fault(int signal, siginfo_t *info, void *context) {
    GuardedRun *self = the_run.load(std::memory_order_relaxed);
    if (!self || ::getpid() != its_process.load(std::memory_order_relaxed))
        return die_by(signal);
    if (::gettid() != its_thread.load(std::memory_order_relaxed)) {
        constexpr useconds_t pause_us = 1000;
        while (end_is_claimed() || the_run.load(std::memory_order_relaxed) == self)
            ::usleep(pause_us);
        struct sigaction action = {};
        ::sigaction(signal, nullptr, &action);
        if (action.sa_flags & SA_SIGINFO)
            return action.sa_sigaction(signal, info, context);
        return die_by(signal);
    }
    if (!self->is_attempting_)
        return die_by(signal);
    siglongjmp(self->start_of_attempt_, 1);
}

void GuardedRun::on_tick(int, siginfo_t *, void *context) {
    GuardedRun *self = the_run.load(std::memory_order_relaxed);
    if (self && ::gettid() == its_thread.load(std::memory_order_relaxed) && self->is_attempting_)
        self->look_at(context);
}

// Decides what the interrupted code does. A system call that the signal has interrupted, and that
// continues afterwards, is about to be made again: the instruction pointer is at the "syscall", and
// its registers are as before.
void GuardedRun::look_at(const void *context) {
    const greg_t *registers = static_cast<const ucontext_t *>(context)->uc_mcontext.gregs;
    static constexpr unsigned char system_call[] = {0x0f, 0x05};
    const void *instruction = reinterpret_cast<const void *>(registers[REG_RIP]);
    if (std::memcmp(instruction, system_call, sizeof system_call) != 0) {
        waiting_ticks_ = 0;
        if (++busy_ticks_ >= busy_ticks_max)
            siglongjmp(start_of_attempt_, 1);
        return;
    }
    busy_ticks_ = 0;
    if (registers[REG_RAX] != SYS_futex)
        return; // writes
    auto *word = reinterpret_cast<uint32_t *>(registers[REG_RDI]);
    waiting_ticks_ = word == awaited_ ? waiting_ticks_ + 1 : 1;
    awaited_ = word;
    if (waiting_ticks_ < waiting_ticks_max)
        return;
    waiting_ticks_ = 0;
    constexpr greg_t command_mask = 127; // FUTEX_CMD_MASK
    if ((registers[REG_RSI] & command_mask) != FUTEX_WAIT)
        siglongjmp(start_of_attempt_, 1); // not a mutex: nothing that could be freed
    free_lock(word);
}

} // namespace thrum
