// Non-blocking and persistent collective operations of communicators that span node processes. Each
// member of this process leaves its request; the last one starts the flow, which completes all.
#pragma once
#include "coll/collective_request.h"

namespace thrum {

// Of requests that have accepted their arguments.
void begin_spanning(CollectiveRequest &request) MAY_SUSPEND;
void initialize_spanning(CollectiveRequest &request);
// MPI_Start.
void start_spanning(CollectiveRequest &request) MAY_SUSPEND;

} // namespace thrum
