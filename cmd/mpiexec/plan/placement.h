// Where the node processes of a job run on the cores of their machine: --bind-to, --map-by,
// --rankfile, --report-bindings. The result is PlannedProcess::processors, which the child sets by
// sched_setaffinity() before exec.
#pragma once
#include "plan/plan.h"
#include "plan/topology.h"

#include <string>

namespace mpiexec {

// Does what `options` ask for the processes of `plan` on `node`, which is this machine: sets the
// processors of each (none if it is not bound). Returns the picture that the user wants to see, or
// "". Throws UsageError if there are too few.
std::string place(const Options &options, Plan &plan, int node);

// Sets the processors of each process of `plan` on `node`, whose `topology` it is. Throws
// UsageError if there are too few.
void place_processes(const Options &options, const Topology &topology, Plan &plan, int node);

// Returns one line for each process on `node`: a bracket for each socket, a bar between cores, a
// letter for each hardware thread: B where the process may run, a point where it may not. "rank 1:
// [..|BB][..|..]".
std::string picture_of_bindings(const Topology &topology, const Plan &plan, int node);

} // namespace mpiexec
