// The cores that this process may use.
#pragma once
#include <sched.h>

namespace thrum {

// Returns the number of cores that this process may use: its affinity mask, limited by the cgroup's
// CPU quota (rounded up). At least 1. Counted once per process.
int usable_cores();

// Returns the processors that this process may use: the affinity mask of its first caller, which
// must come before a worker is bound (fiber/places.h). Read once per process.
const cpu_set_t &usable_processors();

} // namespace thrum
