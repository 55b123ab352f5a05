// What follows from several options together, from the environment and from the machine.
#pragma once
#include "plan/options.h"

namespace mpiexec {

// Throws UsageError for options that exclude each other.
void check_together(const Options &options);

// Fills in the number of ranks and slots where the command line leaves it open, reads the rank
// file, and notes options without effect. Throws UsageError.
void complete(Options &options);

} // namespace mpiexec
