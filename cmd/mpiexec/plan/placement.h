// Where the node processes of a job run on the cores of their machine: --bind-to, --map-by,
// --rankfile, --report-bindings.
#pragma once
#include "plan/plan.h"
#include "plan/topology.h"

#include <string>

namespace mpiexec {

// Does what `options` ask for the processes of `plan` on `node`, which is this machine: gives each
// its processors (none to who is not bound) and returns the picture that the user wants to see, or
// "". Throws UsageError if there are too few.
std::string place(const Options &options, Plan &plan, int node);

// Gives each process of `plan` on `node`, whose `topology` it is, its processors.
void place_processes(const Options &options, const Topology &topology, Plan &plan, int node);

// One line for each process on `node`: a bracket for each socket, a bar between cores, a letter for
// each hardware thread: B where the process may run, a point where it may not. "rank 1:
// [..|BB][..|..]".
std::string picture_of_bindings(const Topology &topology, const Plan &plan, int node);

} // namespace mpiexec
