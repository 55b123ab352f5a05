// The end of a superstep:
//
//     wait       by counting: until what was announced has come; globally: until all have come.
//                Meanwhile gets of others are served: nothing is written yet
//     write      what own gets have read, puts, messages; then the queue of messages with tags
//     begin      registrations take effect; the next superstep's number is taken
//     handlers   run; what they send belongs to the superstep that begins
//     publish    others may access this process's memory directly; an inbox is free again
#pragma once
#include "bsp/machine.h"

namespace thrum::bsp {

void synchronise_by_counting(int64_t count) MAY_SUSPEND;
void synchronise_globally() MAY_SUSPEND;
// The part of bsp_end(): waits for all.
void meet_at_end(Node &node) MAY_SUSPEND;
} // namespace thrum::bsp
