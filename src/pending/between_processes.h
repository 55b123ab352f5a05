// Non-blocking and persistent collective operations of communicators that span node processes. Each
// member of this process leaves its request. The last one starts the flow, which completes all of
// them.
#pragma once
#include "exchange/process_part.h"
#include "pending/request.h"

namespace thrum {

// Begins an operation for a request that has accepted its arguments.
void begin_between_processes(CollectiveRequest &request, Flow (*flow)(ProcessPart &)) MAY_SUSPEND;
void initialize_between_processes(CollectiveRequest &request);
// Implements MPI_Start.
Error start_between_processes(CollectiveRequest &request) MAY_SUSPEND;

} // namespace thrum
