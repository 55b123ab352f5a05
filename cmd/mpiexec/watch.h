// Waits for the end of the job: passes signals on, keeps the time limit, makes the exit code.
#pragma once
#include "launch.h"

#include <csignal>

namespace mpiexec {

double now_s(); // CLOCK_MONOTONIC

inline constexpr int time_limit_exit_code = 124; // as timeout(1)
// From a polite request to SIGKILL: processes write what they have printed. Between two Ctrl-C.
inline constexpr double grace_s = 2;

// Blocks the signals that watch() takes from then on; returns the mask that was, for the child.
sigset_t block_signals();

// Returns mpiexec's exit code: the job's, 128 + signal, or 124 when the time was over.
int watch(const Child &child, const Options &options);

} // namespace mpiexec
