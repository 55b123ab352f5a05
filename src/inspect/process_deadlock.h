// Deadlocks of jobs of several node processes: the report when every rank of every process is
// blocked and no message is in transit (docs/between_processes.md). The observer also looks for
// deadlocks of some ranks (partial_watch.h).
//
// Each process has an observer, a thread that sleeps until its process becomes quiet
// (fiber/process_quiescence.h). If it stays quiet for a moment, the observer sends the first
// process the numbers of messages sent and taken. When all are quiet and the sums agree, the first
// process asks all of them again. If the number taken before equals the number sent by then,
// nothing was in transit in between, and nothing will ever happen again. These are the four
// counters of Mattern, "Algorithms for distributed termination detection", 1987. Then it collects
// what all ranks wait for, and reports.
//
// Invariants
// 1. A wrong claim to be quiet only delays the report: sums that agree twice are proof.
// 2. A running job pays for at most a few checks per second in each process.
#pragma once

namespace thrum {

// Starts the observer. Call it after fabric_begin(). Does nothing in a job of one process, or in
// processes that were added to a job.
void watch_for_process_deadlocks();
// Stops the observer and waits for its thread. Call it before fabric_end().
void cease_to_watch_for_process_deadlocks();

} // namespace thrum
