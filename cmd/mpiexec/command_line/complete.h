// What follows from the options together, from the environment and from the machine.
#pragma once
#include "plan/options.h"

namespace mpiexec {

// Throws UsageError for options that exclude each other.
void check_together(const Options &options);

// Adds what the environment says, and how many ranks and slots there are. Throws UsageError.
void complete(Options &options);

} // namespace mpiexec
