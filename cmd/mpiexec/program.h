// From the word that the user typed to the file that can be started.
#pragma once
#include "options.h"

namespace mpiexec {

enum class ProgramKind { Elf, Script };

// Fills spec.path and, if the job has more than one rank, spec.refusal. Throws UsageError: 127 not
// found, 126 not executable, 2 can run neither as threads nor as processes.
ProgramKind find_program(ProgramSpec &spec, int job_ranks);

} // namespace mpiexec
