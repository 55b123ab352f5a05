// How a job's end is timed, and which signals take part in it. Used by every loop that waits for
// processes.
#pragma once
#include <csignal>
#include <sys/types.h>

namespace mpiexec {

// Returns seconds of CLOCK_MONOTONIC.
double now_s();

inline constexpr int time_limit_exit_code = 124; // as timeout(1)
// Seconds from a polite request (SIGTERM) to SIGKILL, in which processes write what they have
// printed: more than the library takes for that and for its report (inspect/final_report.cc). A
// second Ctrl-C within this time kills at once.
inline constexpr double grace_s = 10;

// The signals that mpiexec waits for. SIGPIPE is among them so that a closed standard error does
// not end mpiexec before the job.
inline constexpr int watched_signals[] = {SIGCHLD, SIGINT,  SIGTERM, SIGHUP,
                                          SIGQUIT, SIGUSR1, SIGUSR2, SIGPIPE};
// Returns them as a set.
sigset_t set_of_watched_signals();

// Who ends processes: the user, to whom they say what they are doing, or mpiexec after a failure.
enum class Sender { Mpiexec, User };

void send_signal(pid_t process, int signal, Sender sender);

// Blocks the watched signals from now on. Returns the mask before, which children must get.
sigset_t block_signals();

} // namespace mpiexec
