// The snapshot of what all ranks are doing, for reports.
#pragma once
#include "inspect/deadlock_report.h"

namespace thrum {

// Returns what all ranks of this process are doing. Reads their state without stopping them, so it
// is exact only while none runs.
Snapshot take_snapshot();

} // namespace thrum
