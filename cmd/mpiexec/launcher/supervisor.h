// A job of several node processes: starts them, serves their wire-up, forwards their output, and
// ends the job as one (supervisor.cc).
#pragma once
#include "plan/plan.h"

namespace mpiexec {

// Runs the job to its end and returns mpiexec's exit code. Signals are blocked as watch.h expects
// them; the processes have `child_mask`. Throws UsageError if a program cannot be executed.
int run_node_processes(const Options &options, const Plan &plan, const sigset_t &child_mask);

} // namespace mpiexec
