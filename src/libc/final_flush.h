// Writes what ranks have printed and not yet flushed, at the end of the process (final_flush.cc).
#pragma once
#include "base/may_suspend.h"

namespace thrum {

// Writes it at any end of the process, also a sudden one: on any thread, perhaps in a signal
// handler after a crash. What hangs or crashes in between is given up (GuardedRun).
void flush_all_output() MAY_SUSPEND;
// Writes what the streams of ranks still hold when all ranks have ended. Returns false if some
// output of the process is lost.
bool flush_at_ordinary_end() MAY_SUSPEND;

} // namespace thrum
