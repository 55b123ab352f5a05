// The runs of a sweep: a job of mpiexec for each number of ranks, several side by side.
//
// A row of the table is printed as soon as its count and all smaller ones are complete, so rows are
// in order. The first output that others are compared with is that of the smallest count that ends
// well.
#pragma once
#include "options.h"
#include "result.h"
#include "runs/runs.h"

#include <csignal>
#include <functional>
#include <string>

namespace sweep {

// Makes the runs with the program `mpiexec` and the standard input `input`, and returns what they
// have shown, also if a signal has interrupted them. Calls `show` with each complete count, in
// ascending order. The watched signals (start/ending.h) are blocked; `child_mask` is the mask of
// runs. Throws UsageError.
Result run_sweep(const SweepOptions &options, const std::string &mpiexec,
                 const mpiexec::RunInput &input, const sigset_t &child_mask,
                 const std::function<void(const Result &, const Count &)> &show);

} // namespace sweep
