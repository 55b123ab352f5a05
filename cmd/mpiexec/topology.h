// What the machine computes with, as hwloc sees it (HWLOC_SYNTHETIC for tests). libhwloc is loaded
// when somebody asks.
#pragma once
#include <vector>

namespace mpiexec {

struct Core {
    int socket = 0; // numbered from 0, as the next
    int numa = 0;
    std::vector<int> threads; // numbers that the kernel gives them; those that may be used
};

struct Topology {
    std::vector<Core> cores; // in hwloc's order: neighbours share most
    bool is_real = true;     // false: of HWLOC_SYNTHETIC or a file; nobody can be bound to it
};

// Where sched_getaffinity() is forbidden, libhwloc asks for ever: it gets a description of the
// machine in the environment, and so do the processes of the job. (libpmix asks it, too.)
void keep_hwloc_from_waiting();

// Of this machine, without what mpiexec itself may not use. Throws UsageError without hwloc.
Topology read_topology();

} // namespace mpiexec
