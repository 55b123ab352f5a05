// Sleeping without holding a worker (sleep.cc).
#pragma once
#include "base/may_suspend.h"

#include <cstdint>
#include <ctime>

namespace thrum {

// Parks the rank for a time. Returns 0, or what is left of it (at least 1) if a signal handler has
// run meanwhile. 0 or less only lets other ranks run.
int64_t sleep_for(int64_t duration_ns) MAY_SUSPEND;
// Returns nanoseconds, at most INT64_MAX / 2.
int64_t duration_ns(const timespec &t);
// Returns whether the C library would accept it.
bool is_valid_duration(const timespec &t);

} // namespace thrum
