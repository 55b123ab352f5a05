// Which jobs can be run many times by --fuzz and --explore: those whose ranks share one process.
#pragma once
#include "plan/options.h"

namespace mpiexec {

// Throws UsageError if the ranks of the job, whose programs are found, cannot share a process;
// `option` asks for the runs.
void check_sharing(const Options &options, const char *option);

} // namespace mpiexec
