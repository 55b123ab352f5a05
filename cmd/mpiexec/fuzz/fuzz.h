// mpiexec --fuzz N: runs a job with N seeds (--seed), which choose its schedules. Stops at the
// first seed with which the job goes wrong, and finds how few of the seed's choices are enough for
// that.
//
// The order is:
// 1. The plain schedule runs twice, as SEED:0. Both runs must end well and print the same lines;
//    what they print is what seeds are compared with (verdict.h).
// 2. The seeds run side by side. The result is the lowest seed that goes wrong, whichever ends
// first.
// 3. That seed runs three times more. What it does not always do is not shrunk.
// 4. Exponential, then binary search for the number of choices. The result is repeated three times.
#pragma once
#include "plan/options.h"
#include "runs/runs.h"

#include <csignal>
#include <string>
#include <vector>

namespace mpiexec {

// Does all of this for the command line `words`, which begin with the name of mpiexec. Returns the
// exit code: 0, that of the run that goes wrong, or 1 if it only prints something else. The watched
// signals (start/ending.h) are blocked; `child_mask` is the mask of runs. Throws UsageError.
int run_fuzz(const Options &options, const std::vector<std::string> &words, const RunInput &input,
             const sigset_t &child_mask);

} // namespace mpiexec
