// The watch of all runs of the process: a thread that enforces time limits and ends condemned runs,
// and the answer to deadlocks (inspect/deadlock.h). The thread starts with the first run that needs
// it.
#pragma once
#include "run/run.h"

namespace thrum {

// Adds a run before it starts. The run removes itself (RunWatcher::forget).
void add_run(Run &run);
extern const RunWatcher run_watcher;

} // namespace thrum
