// Finds the file that a word of the command line means, and decides whether and how it can be
// started.
#pragma once
#include "plan/options.h"

namespace mpiexec {

// Fills in what ProgramSpec says is found. Throws UsageError: 127 not found, 126 not executable, 2
// can run neither as threads nor as processes, or is built for another MPI. `exports` are variables
// of the job.
void find_program(ProgramSpec &spec, int job_ranks, const std::vector<std::string> &exports);

// Returns whether the program, a script or a shell, starts others, which are not known here.
bool starts_others(const ProgramSpec &spec);

// Returns the front that a program needs itself, or if it is Python or a script of it, the one that
// mpi4py needs there, as ProgramSpec names it; "": none.
std::string front_used_by(const std::string &path);

// Returns the file that the word `name` would execute, looked up in PATH; "": none.
std::string search_in_path(const std::string &name);

} // namespace mpiexec
