// Elements of a receive datatype that lie on each other (MPI 5.0 section 3.2.4, 5.1.11): what the
// receive buffer contains then depends on the order in which they are written.
#pragma once
#include "datatype/datatype.h"
#include "rank/rank.h"

namespace thrum {

// Returns whether `count` elements of the datatype have a byte twice. Returns false if there are
// too many blocks to look at.
bool elements_overlap(const Datatype &type, Count count);

// Warns if that is so for a receive of the calling rank at `place`, once for each line.
[[gnu::cold]] void check_elements(const Datatype &type, Count count, const CallPlace &place);

} // namespace thrum
