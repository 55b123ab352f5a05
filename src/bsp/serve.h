// What a process does for others in its own areas when it synchronises: it answers gets, and copies
// unbuffered puts.
#pragma once
#include "bsp/machine.h"

namespace thrum::bsp {

// Returns where [offset, offset + size_bytes) of area `number` of `owner` is. If it is not entirely
// inside the area, reports a mistake of the call at `origin`.
char *place_in_area(const Node &owner, uint64_t number, size_t offset, size_t size_bytes,
                    const Place &origin);

// Serves the list of requests that others have left with `node`, the caller's.
void serve(Node &node, Request *first) MAY_SUSPEND;

} // namespace thrum::bsp
