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

// While it lives, hwloc does not look for displays (HWLOC_COMPONENTS, unless it is set): it asks
// the name service for each, and may wait for seconds. Programs do not see the variable.
class WithoutDisplays {
public:
    WithoutDisplays();
    ~WithoutDisplays();
    WithoutDisplays(const WithoutDisplays &) = delete;
    WithoutDisplays &operator=(const WithoutDisplays &) = delete;

private:
    bool is_ours_;
};

// Of this machine, without what mpiexec itself may not use. Throws UsageError without hwloc.
Topology read_topology();

} // namespace mpiexec
