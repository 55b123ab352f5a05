// Writing to a descriptor as a rank sees it (descriptors.cc).
#pragma once
#include "base/may_suspend.h"

#include <sys/types.h>

namespace thrum {

// write() of the calling rank: 1 and 2 go to its OutputStreams. May move the rank to a spare
// worker.
ssize_t write_for_rank(int descriptor, const void *data, size_t size_bytes) MAY_SUSPEND;

} // namespace thrum
