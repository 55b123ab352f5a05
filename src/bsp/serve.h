// What a process does for others in its own areas: it answers gets, and copies unbuffered puts.
#pragma once
#include "bsp/machine.h"

namespace thrum::bsp {

// Where [offset, offset + size_bytes) of area `number` of `owner` is. Ends the job, with the words
// of the call that names it, if it is not wholly there.
char *place_in_area(const Node &owner, uint64_t number, size_t offset, size_t size_bytes,
                    const Place &origin);

// Does what others have requested of `node`, the caller's.
void serve(Node &node, Request *first) MAY_SUSPEND;

} // namespace thrum::bsp
