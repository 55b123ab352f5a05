// Starts the node process: the program of the first specification, told by its environment
// (base/settings.h) how many ranks it shall host and how.
#pragma once
#include "options.h"
#include "program.h"

#include <sys/types.h>

namespace mpiexec {

struct Child {
    pid_t pid = 0;
    int started_fd = -1; // readable once an MPI library has started in the child; a script's only
};

// Starts the job. Signals are blocked in the caller as watch.h wants them; the child has
// `child_mask`. Throws UsageError if the program cannot be executed.
Child launch(const Options &options, ProgramKind kind, const sigset_t &child_mask);

// The form of THRUM_PROGRAMS; see base/settings.h.
std::string encode_programs(const std::vector<ProgramSpec> &programs);

} // namespace mpiexec
