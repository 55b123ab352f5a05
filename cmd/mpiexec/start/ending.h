// How a job's end is timed, and which signals take part in it; for whatever waits for processes.
#pragma once
#include <csignal>

namespace mpiexec {

double now_s(); // CLOCK_MONOTONIC

inline constexpr int time_limit_exit_code = 124; // as timeout(1)
// Seconds from a polite request to SIGKILL, for processes to write what they have printed; also
// between two Ctrl-C.
inline constexpr double grace_s = 2;

// The signals that mpiexec waits for. SIGPIPE is among them so that a closed standard error does
// not end mpiexec before the job.
inline constexpr int watched_signals[] = {SIGCHLD, SIGINT,  SIGTERM, SIGHUP,
                                          SIGQUIT, SIGUSR1, SIGUSR2, SIGPIPE};
sigset_t set_of_watched_signals();

// Blocks them from then on; returns the mask that was, for children.
sigset_t block_signals();

} // namespace mpiexec
