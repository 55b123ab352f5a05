// Non-blocking and persistent collective operations of communicators that span node processes. Each
// member of this process leaves its request; the last one starts the flow, which completes all.
#pragma once
#include "coll/collective_request.h"

namespace thrum {

Error begin_spanning(Communicator &comm, const CollectiveCall &call, MPI_Request *request);
Error initialize_spanning(Communicator &comm, const CollectiveCall &call, MPI_Request *request);
// MPI_Start.
void start_spanning(CollectiveRequest &request) MAY_SUSPEND;

} // namespace thrum
