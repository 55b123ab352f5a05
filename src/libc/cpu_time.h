// The CPU time of a rank, for getrusage(), times(), clock(), clock_gettime() and timers of CPU
// time.
//
// Nothing is counted before the first question in the job: a switch costs 15 ns, and reading a
// thread's CPU clock ten times as much. What the process had used until then is divided equally
// among the ranks.
#pragma once
#include "rank/rank.h"

#include <cstdint>

namespace thrum {

struct LibcState; // libc/libc_state.h

// Starts counting; does nothing if it has started. Any thread.
void start_counting_cpu_time();

// Returns the CPU time of `rank` so far, of all its threads. Counting must have started. Any
// thread.
int64_t cpu_time_ns(Rank &rank);

// Keeps the CPU time of the calling thread, which a rank has made, for the rank. Called at the
// thread's end.
void add_cpu_time_of_ending_thread(LibcState &state);

} // namespace thrum
