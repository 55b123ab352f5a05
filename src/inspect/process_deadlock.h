// Deadlocks of jobs of several node processes: the report when every rank of every process is
// blocked and no message is under way (docs/between_processes.md).
//
// Each process has an observer, a thread that sleeps until its process has become quiet
// (fiber/quiet.h). If it stays so for a moment, the observer tells the first process how many
// messages have been sent and taken. When all are quiet and the sums agree, the first process asks
// all of them once more: if what had been taken before is what has been sent by then, nothing was
// under way in between, and nothing will ever happen again (the four counters of Mattern,
// "Algorithms for distributed termination detection", 1987). Then it collects what all ranks wait
// for, and reports.
//
// Invariants
// 1. Who is wrong about being quiet delays the report only: sums that agree twice are proof.
// 2. A job that goes on pays for at most a few looks a second in each process.
#pragma once

namespace thrum {

// After fabric_begin(), and before fabric_end().
void watch_for_process_deadlocks();
void cease_to_watch_for_process_deadlocks();

} // namespace thrum
