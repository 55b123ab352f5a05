// Descriptors 1 and 2 of a rank.
#pragma once
#include "base/may_suspend.h"

#include <sys/types.h>

namespace thrum {

// write() of the calling rank.
ssize_t write_for_rank(int descriptor, const void *data, size_t size_bytes) MAY_SUSPEND;

} // namespace thrum
