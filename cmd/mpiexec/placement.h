// Where the node processes of a job run on the cores of their machine: --bind-to, --map-by,
// --rankfile,
// --report-bindings.
#pragma once
#include "plan.h"
#include "topology.h"

#include <string>

namespace mpiexec {

// Gives each process of `plan` its processors as `options` ask for; none to who is not bound.
// Throws UsageError if there are too few.
void place_processes(const Options &options, const Topology &topology, Plan &plan);

// One line for each process: a bracket for each socket, a bar between cores, a letter for each
// hardware thread: B where the process may run, a point where it may not. "rank 1: [..|BB][..|..]".
std::string picture_of_bindings(const Topology &topology, const Plan &plan);

} // namespace mpiexec
