// Runs code that must neither hang nor crash the end of the job.
//
// When a job ends suddenly, the output of its ranks is in buffers of the C library, libstdc++ and
// libgfortran. Flushing them runs code of these libraries in an unknown state: the rank may have
// crashed in the middle of a Fortran WRITE whose lock it holds, or inside malloc, which a crash
// report needs, too. While a GuardedRun lives,
//
//   a fault on its thread     ends the attempt that runs; the next one goes on
//   a lock that is not freed  is taken from its owner after 150 ms, since the owner never goes on
//   an endless loop           ends the attempt after 2 s; a write that waits for its reader does
//   not
//
// One lives at a time, on the thread that has claimed the job's end, or that reports the crash of a
// rank of a run (contained.h).
#pragma once
#include <csetjmp>
#include <csignal>
#include <ctime>
#include <sys/types.h>

namespace thrum {

class GuardedRun {
public:
    GuardedRun();
    ~GuardedRun();
    GuardedRun(const GuardedRun &) = delete;
    GuardedRun &operator=(const GuardedRun &) = delete;

    // Runs function(argument). Returns false if it has been abandoned. Objects on its stack are
    // then not destroyed.
    bool attempt(void (*function)(void *), void *argument);

private:
    static constexpr int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
    static void on_fault(int signal, siginfo_t *info, void *context);
    static void on_tick(int signal, siginfo_t *info, void *context);
    // Called every 50 ms while an attempt runs, with the registers of the interrupted code.
    void look_at(const void *context);
    void start_ticks();

    struct sigaction old_actions_[sizeof signals / sizeof *signals];
    struct sigaction old_tick_action_ = {};
    sigjmp_buf start_of_attempt_;
    volatile sig_atomic_t is_attempting_ = 0;
    int timer_ = -1;                // of the kernel
    unsigned waiting_ticks_ = 0;    // in succession, for the same lock
    unsigned busy_ticks_ = 0;       // in succession, outside system calls
    const void *awaited_ = nullptr; // the word of a lock
};

} // namespace thrum
