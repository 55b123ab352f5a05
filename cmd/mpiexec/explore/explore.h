// mpiexec --explore: runs a job once for each way in which its messages can be matched with
// wildcard receives and probes (explore/search.h). Stops at the first with which the job goes
// wrong, and keeps its record, which --replay repeats.
//
// The order is:
// 1. The first run follows nothing. It must end well; it is repeated if output is compared, which
//    must be the same.
// 2. Each further run follows what the search asks for, and is free afterwards. All have the plain
//    schedule (--seed 1:0), so that nothing but that decides.
// 3. If a run goes wrong, its record is replayed three times.
#pragma once
#include "plan/options.h"
#include "runs/runs.h"

#include <csignal>
#include <string>
#include <vector>

namespace mpiexec {

// The exit code if no run goes wrong, but a limit ends the search.
inline constexpr int more_orders_exit_code = 3;

// Does all of this for the command line `words`, which begin with the name of mpiexec. Returns the
// exit code: 0, that of the run that goes wrong, 1 if it only prints something else, or
// more_orders_exit_code. The watched signals (start/ending.h) are blocked; `child_mask` is the mask
// of runs. Throws UsageError.
int run_explore(const Options &options, const std::vector<std::string> &words,
                const RunInput &input, const sigset_t &child_mask);

} // namespace mpiexec
