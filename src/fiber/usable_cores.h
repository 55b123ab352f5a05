// The cores that this process may use.
#pragma once

namespace thrum {

// Returns the number of cores that this process may use: its affinity mask, limited by the cgroup's
// CPU quota (rounded up). At least 1. Counted once per process.
int usable_cores();

} // namespace thrum
