// Reads the machine's topology by libhwloc, which is loaded at run time (plan/topology.h).
#include "plan/topology.h"

#include "plan/library.h"
#include "plan/usage_error.h"

#include <hwloc.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fmt/core.h>
#include <sched.h>
#include <unistd.h>

namespace mpiexec {
namespace {

// The functions of libhwloc that are needed here. Its inline functions cannot be used: they would
// have to be linked.
struct Hwloc {
    decltype(&hwloc_topology_init) init;
    decltype(&hwloc_topology_load) load;
    decltype(&hwloc_topology_destroy) destroy;
    decltype(&hwloc_topology_is_thissystem) is_thissystem;
    decltype(&hwloc_get_type_depth) type_depth;
    decltype(&hwloc_get_nbobjs_by_depth) count_at_depth;
    decltype(&hwloc_get_obj_by_depth) at_depth;
    decltype(&hwloc_bitmap_next) next;
    decltype(&hwloc_bitmap_intersects) intersects;

    Hwloc() {
        const Library library("libhwloc.so.15", "placement needs", "libhwloc15");
        library.find("hwloc_topology_init", init);
        library.find("hwloc_topology_load", load);
        library.find("hwloc_topology_destroy", destroy);
        library.find("hwloc_topology_is_thissystem", is_thissystem);
        library.find("hwloc_get_type_depth", type_depth);
        library.find("hwloc_get_nbobjs_by_depth", count_at_depth);
        library.find("hwloc_get_obj_by_depth", at_depth);
        library.find("hwloc_bitmap_next", next);
        library.find("hwloc_bitmap_intersects", intersects);
    }
};

// Returns the number of the object of `type` that has processors of `set`; 0 if there is none.
int index_of(const Hwloc &hwloc, hwloc_topology_t topology, hwloc_obj_type_t type,
             hwloc_const_bitmap_t set) {
    int depth = hwloc.type_depth(topology, type);
    unsigned count = hwloc.count_at_depth(topology, depth);
    for (unsigned i = 0; i < count; ++i)
        if (hwloc_obj_t object = hwloc.at_depth(topology, depth, i);
            object && object->cpuset && hwloc.intersects(object->cpuset, set))
            return static_cast<int>(i);
    return 0;
}

} // namespace

void keep_hwloc_from_waiting() {
    cpu_set_t allowed;
    // EINVAL: there are more processors than fit into the set
    if (!sched_getaffinity(0, sizeof allowed, &allowed) || errno == EINVAL)
        return;
    const long cores = std::max(sysconf(_SC_NPROCESSORS_CONF), 1L);
    setenv("HWLOC_SYNTHETIC", fmt::format("core:{} pu:1", cores).c_str(), 0);
}

// If one of these variables describes another machine, hwloc would ignore it with HWLOC_COMPONENTS.
WithoutDisplays::WithoutDisplays()
    : is_ours_(!getenv("HWLOC_COMPONENTS") && !getenv("HWLOC_SYNTHETIC") &&
               !getenv("HWLOC_XMLFILE") && !getenv("HWLOC_FSROOT")) {
    if (is_ours_)
        setenv("HWLOC_COMPONENTS", "-gl", 1);
}

WithoutDisplays::~WithoutDisplays() {
    if (is_ours_)
        unsetenv("HWLOC_COMPONENTS");
}

// hwloc describes the whole machine; processors that mpiexec may not use are left out here.
Topology read_topology() {
    const WithoutDisplays guard;
    const Hwloc hwloc;
    hwloc_topology_t topology;
    if (hwloc.init(&topology) || hwloc.load(topology))
        throw UsageError(2, "hwloc cannot read what this machine is made of");
    Topology result;
    result.is_real = hwloc.is_thissystem(topology) != 0;
    cpu_set_t allowed;
    bool is_known = result.is_real && !sched_getaffinity(0, sizeof allowed, &allowed);
    int depth = hwloc.type_depth(topology, HWLOC_OBJ_CORE);
    if (depth < 0) // some virtual machines have none
        depth = hwloc.type_depth(topology, HWLOC_OBJ_PU);
    unsigned count = hwloc.count_at_depth(topology, depth);
    for (unsigned i = 0; i < count; ++i) {
        hwloc_obj_t object = hwloc.at_depth(topology, depth, i);
        Core core;
        for (int pu = hwloc.next(object->cpuset, -1); pu >= 0; pu = hwloc.next(object->cpuset, pu))
            if (!is_known || (pu < CPU_SETSIZE && CPU_ISSET(pu, &allowed)))
                core.threads.push_back(pu);
        // A core that mpiexec may not use.
        if (core.threads.empty())
            continue;
        core.socket = index_of(hwloc, topology, HWLOC_OBJ_PACKAGE, object->cpuset);
        core.numa = index_of(hwloc, topology, HWLOC_OBJ_NUMANODE, object->cpuset);
        result.cores.push_back(std::move(core));
    }
    hwloc.destroy(topology);
    return result;
}

} // namespace mpiexec
