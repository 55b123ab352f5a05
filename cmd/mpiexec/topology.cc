#include "topology.h"

#include "options.h"

#include <hwloc.h>

#include <dlfcn.h>
#include <fmt/core.h>
#include <sched.h>
#include <type_traits>

namespace mpiexec {
namespace {

// libhwloc as far as it is needed here; its inline functions would be linked.
struct Library {
    decltype(&hwloc_topology_init) init;
    decltype(&hwloc_topology_load) load;
    decltype(&hwloc_topology_destroy) destroy;
    decltype(&hwloc_topology_is_thissystem) is_thissystem;
    decltype(&hwloc_get_type_depth) type_depth;
    decltype(&hwloc_get_nbobjs_by_depth) count_at_depth;
    decltype(&hwloc_get_obj_by_depth) at_depth;
    decltype(&hwloc_bitmap_next) next;
    decltype(&hwloc_bitmap_intersects) intersects;
};

Library load_library() {
    void *library = dlopen("libhwloc.so.15", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        throw UsageError(2, fmt::format("placement needs libhwloc, which cannot be loaded: {} "
                                        "(apt-get install libhwloc15)",
                                        dlerror()));
    auto find = [&](const char *name, auto &function) {
        function =
            reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
        if (!function)
            throw UsageError(2,
                             fmt::format("libhwloc.so.15 is not one that we know: {}", dlerror()));
    };
    Library hwloc;
    find("hwloc_topology_init", hwloc.init);
    find("hwloc_topology_load", hwloc.load);
    find("hwloc_topology_destroy", hwloc.destroy);
    find("hwloc_topology_is_thissystem", hwloc.is_thissystem);
    find("hwloc_get_type_depth", hwloc.type_depth);
    find("hwloc_get_nbobjs_by_depth", hwloc.count_at_depth);
    find("hwloc_get_obj_by_depth", hwloc.at_depth);
    find("hwloc_bitmap_next", hwloc.next);
    find("hwloc_bitmap_intersects", hwloc.intersects);
    return hwloc;
}

// The number of the object of `type` that has processors of `set`; 0 if there is none.
int index_of(const Library &hwloc, hwloc_topology_t topology, hwloc_obj_type_t type,
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

Topology read_topology() {
    Library hwloc = load_library();
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
