// Reads the command line of mpiexec (MPI 5.0 section 11.5).
#pragma once
#include "plan/options.h"

namespace mpiexec {

// Returns the options, completed by the environment and checked. Throws UsageError. --help,
// --help-options and --version print and exit.
Options parse_command_line(int argc, char **argv);

} // namespace mpiexec
