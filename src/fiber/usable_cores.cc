#include "fiber/usable_cores.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sched.h>

namespace thrum {
namespace {

// Returns the CPUs that the cgroup's quota allows (cgroup v2 cpu.max: "quota period"), or 0 without
// a limit.
int cgroup_cores() {
    std::FILE *file = std::fopen("/sys/fs/cgroup/cpu.max", "re");
    if (!file)
        return 0;
    char quota[32];
    long period = 0;
    int cores = 0;
    if (std::fscanf(file, "%31s %ld", quota, &period) == 2 && period > 0 &&
        std::strcmp(quota, "max") != 0)
        cores = static_cast<int>((std::strtol(quota, nullptr, 10) + period - 1) / period);
    std::fclose(file);
    return cores;
}

int count_usable_cores() {
    int cores = CPU_COUNT(&usable_processors());
    int limit = cgroup_cores();
    if (limit > 0 && limit < cores)
        cores = limit;
    return cores > 0 ? cores : 1;
}

} // namespace

const cpu_set_t &usable_processors() {
    static const cpu_set_t processors = [] {
        cpu_set_t set;
        if (::sched_getaffinity(0, sizeof set, &set) != 0)
            CPU_ZERO(&set);
        return set;
    }();
    return processors;
}

int usable_cores() {
    static const int cores = count_usable_cores();
    return cores;
}

} // namespace thrum
