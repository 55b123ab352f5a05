// Waits for the end of a job of one process: passes signals on, enforces the time limit, computes
// the exit code (watch.cc).
#pragma once
#include "start/launch.h"

namespace mpiexec {

// Returns mpiexec's exit code: the job's, 128 + signal, or 124 when the time limit was reached.
int watch(const Child &child, const Options &options);

} // namespace mpiexec
