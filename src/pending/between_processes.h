// Non-blocking and persistent collective operations of communicators that span node processes. Each
// member of this process leaves its request; the last one starts the flow, which completes all.
#pragma once
#include "exchange/process_part.h"
#include "pending/request.h"

namespace thrum {

// Of requests that have accepted their arguments.
void begin_between_processes(CollectiveRequest &request, Flow (*flow)(ProcessPart &)) MAY_SUSPEND;
void initialize_between_processes(CollectiveRequest &request);
// MPI_Start.
Error start_between_processes(CollectiveRequest &request) MAY_SUSPEND;

} // namespace thrum
