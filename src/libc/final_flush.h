// Writes what ranks have printed and not yet flushed, at the end of the process.
#pragma once
#include "base/may_suspend.h"

namespace thrum {

// Writes it at any end of the process, also a sudden one.
void flush_all_output() MAY_SUSPEND;
// Writes it when all ranks have ended. Returns false if some of it is lost.
bool flush_at_ordinary_end() MAY_SUSPEND;

} // namespace thrum
