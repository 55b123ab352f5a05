// Ranks that a program outside (mpiexec --live, thrum top) holds at their next MPI call, and lets
// go on one call at a time. It writes what it wants into the observation (observe/observation.h).
//
// A rank is held as a task that waits, so workers are free for the others. A thread of the library
// sleeps until the observation changes, lets ranks go on, and writes the queues down on request.
//
// Invariants
// 1. While a rank is held, the process is not quiescent, and no deadlock is looked for: it may
//    still send.
// 2. Ranks are held only until Observation::hold_until_ns. A program that holds them moves that on,
//    so a job outlives one that was killed.
// 3. Only outer calls are held, of ranks that are observed.
#pragma once
#include "rank/rank.h"

namespace thrum {

// Starts the thread of this process. `directory` is that of the observations.
void start_holding(const char *directory);

// Holds the calling thread at the begin of its call, if it is to be held.
void hold_at_call(RankThread &self) MAY_SUSPEND;

// Returns whether some rank is held.
bool some_are_held();

} // namespace thrum
