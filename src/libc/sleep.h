// Sleeping without holding a worker.
#pragma once
#include "base/may_suspend.h"

#include <cstdint>
#include <ctime>

namespace thrum {

// Parks for a time. Returns what is left of it if a signal handler has run meanwhile (at least 1),
// or 0.
int64_t sleep_for(int64_t duration_ns) MAY_SUSPEND;
int64_t duration_ns(const timespec &t); // at most INT64_MAX / 2
bool is_valid_duration(const timespec &t);

} // namespace thrum
