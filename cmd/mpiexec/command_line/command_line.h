// Reads the command line of mpiexec (MPI 5.0 section 11.5).
#pragma once
#include "plan/options.h"

namespace mpiexec {

// Throws UsageError. --help, --help-options and --version print and leave.
Options parse_command_line(int argc, char **argv);

} // namespace mpiexec
