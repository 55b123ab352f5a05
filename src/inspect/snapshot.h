// The snapshot of what all ranks are doing, for reports.
#pragma once
#include "inspect/deadlock_report.h"

namespace thrum {

// Returns what all ranks of this process are doing. Reads their state without stopping them, so it
// is exact only while none runs.
Snapshot take_snapshot();
// Returns the same of some ranks only, which must not run (not even end). Ranks in it are still
// those of the job.
Snapshot take_snapshot_of(const std::vector<Rank *> &ranks);

} // namespace thrum
