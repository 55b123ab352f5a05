// The end of a superstep has these steps:
//
//     wait       by counting: until the announced number has arrived; globally: until all processes
//                have arrived. Meanwhile gets of others are served: nothing is written yet
//     write      what own gets have read, puts, messages; then the queue of messages with tags
//     begin      registrations take effect; the number of the superstep is raised
//     handlers   run; what they send belongs to the superstep that begins
//     publish    others may access this process's memory directly; an inbox is free again
#pragma once
#include "bsp/machine.h"

namespace thrum::bsp {

// Does bsp_sync_count() and cbsp_nsync().
void synchronise_by_counting(int64_t count) MAY_SUSPEND;
// Does bsp_sync() and cbsp_gsync().
void synchronise_globally() MAY_SUSPEND;
// Does the part of bsp_end() that waits for all processes. Operations that no process would receive
// are a mistake.
void meet_at_end(Node &node) MAY_SUSPEND;
} // namespace thrum::bsp
