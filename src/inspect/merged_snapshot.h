// Snapshots of several node processes made one: as bytes they travel to the process that reports.
#pragma once
#include "inspect/deadlock_report.h"

#include <string>
#include <string_view>

namespace thrum {

std::string snapshot_to_bytes(const Snapshot &snapshot);

// Adds what another process has seen. False: the bytes are not what snapshot_to_bytes() makes.
bool add_snapshot(Snapshot &all, std::string_view bytes);

// Once all have been added: ranks in order, with those of whom nothing is known as ended.
void complete_snapshot(Snapshot &all, int world_size);

} // namespace thrum
