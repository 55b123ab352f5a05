// A hint for Python programs that end badly.
#pragma once
#include "plan/options.h"

namespace mpiexec {

// Returns a line that says how to build mpi4py for this MPI, if a program of the job is a Python
// whose only mpi4py was made for other MPIs (PyPI's wheel); else "".
std::string hint_for_python(const Options &options);

} // namespace mpiexec
