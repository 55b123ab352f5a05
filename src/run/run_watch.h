// The watch of all runs of the process: a thread that enforces time limits and ends condemned runs,
// and the answer to deadlocks (inspect/deadlock.h). The thread starts with the first run that needs
// it.
#pragma once
#include "run/run.h"

namespace thrum {

// Adds a run before it starts, and removes it after its end.
void add_run(Run &run);
void remove_run(Run &run);
// Makes the watch look at all runs now. Any thread.
void call_run_watch();

} // namespace thrum
