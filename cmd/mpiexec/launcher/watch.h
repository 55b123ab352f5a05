// Waits for the end of the job: passes signals on, keeps the time limit, makes the exit code.
#pragma once
#include "start/launch.h"

namespace mpiexec {

// Returns mpiexec's exit code: the job's, 128 + signal, or 124 when the time was over.
int watch(const Child &child, const Options &options);

} // namespace mpiexec
