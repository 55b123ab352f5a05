// Non-blocking and persistent collective operations of communicators that span node processes. Each
// member of this process leaves its request. The last one starts the flow, which completes all of
// them.
#pragma once
#include "exchange/process_part.h"
#include "pending/request.h"

namespace thrum {

// Begins an operation for a request that has accepted its arguments. The last member of this
// process starts the flow.
void begin_between_processes(CollectiveRequest &request, Flow (*flow)(ProcessPart &)) MAY_SUSPEND;
// Numbers a persistent operation, by which its starts are matched.
void initialize_between_processes(CollectiveRequest &request);
// Does MPI_Start.
Error start_between_processes(CollectiveRequest &request) MAY_SUSPEND;

} // namespace thrum
