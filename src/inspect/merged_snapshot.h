// Merges the snapshots of several node processes. They travel as texts to the process that reports
// (process_deadlock.cc).
#pragma once
#include "inspect/deadlock_report.h"

#include <string>
#include <string_view>

namespace thrum {

// Returns the snapshot as a text, for add_snapshot() in another process.
std::string snapshot_to_text(const Snapshot &snapshot);

// Adds another process's snapshot. Returns false, and adds nothing, if the text is not the output
// of snapshot_to_text().
bool add_snapshot(Snapshot &all, std::string_view text);

// Completes the snapshot once all have been added: ranks in order, and those without information as
// ended.
void complete_snapshot(Snapshot &all, int world_size);

} // namespace thrum
