// The CPU time of a rank: what getrusage(), times(), clock() and clock_gettime() tell, and what
// timers of CPU time go by.
//
// Nothing is counted before the first question in the job (a switch costs 15 ns, a look at a
// thread's CPU clock ten times as much). What the process had used until then is shared out
// equally.
#pragma once
#include "rank/rank.h"

#include <cstdint>

namespace thrum {

struct LibcState; // libc/libc_state.h

void start_counting_cpu_time();

// CPU time of `rank` so far, of all its threads; counting must have started. Any thread.
int64_t cpu_time_ns(Rank &rank);

// To be called on a thread that a rank has made, at its end.
void add_cpu_time_of_ending_thread(LibcState &state);

} // namespace thrum
