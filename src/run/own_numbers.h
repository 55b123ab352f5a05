// Numbers in reports about a run: its ranks are called by their numbers in it, from 0.
#pragma once
#include "inspect/deadlock_report.h"

namespace thrum {

// Replaces the numbers of ranks in a snapshot of `ranks` by their places among these.
void use_own_numbers(Snapshot &snapshot, const std::vector<Rank *> &ranks);

} // namespace thrum
