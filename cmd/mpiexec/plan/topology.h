// The cores of this machine, as hwloc sees it (HWLOC_SYNTHETIC for tests). libhwloc is loaded on
// the first use.
#pragma once
#include <vector>

namespace mpiexec {

// One core, and where it is.
struct Core {
    int socket = 0; // numbered from 0, as is `numa`
    int numa = 0;
    std::vector<int> threads; // numbers that the kernel gives them; those that may be used
};

// The cores that the job may use.
struct Topology {
    std::vector<Core> cores; // in hwloc's order: neighbours share most
    bool is_real = true;     // false: of HWLOC_SYNTHETIC or a file; no process can be bound to it
};

// Keeps libhwloc from repeating sched_getaffinity() for ever where that is forbidden: puts a
// description of the machine into the environment, which the processes of the job get, too.
// (libpmix uses libhwloc as well.)
void keep_hwloc_from_waiting();

// Keeps hwloc from looking for displays, while it lives (HWLOC_COMPONENTS, unless it is set): hwloc
// asks the name service for each, and may wait for seconds. Programs do not see the variable.
class WithoutDisplays {
public:
    WithoutDisplays();
    ~WithoutDisplays();
    WithoutDisplays(const WithoutDisplays &) = delete;
    WithoutDisplays &operator=(const WithoutDisplays &) = delete;

private:
    bool is_ours_;
};

// Returns the topology of this machine, without what mpiexec itself may not use. Throws UsageError
// if hwloc is missing or fails.
Topology read_topology();

} // namespace mpiexec
