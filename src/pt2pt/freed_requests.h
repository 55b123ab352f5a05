// The end of requests that were freed by MPI_Request_free while they were pending.
#pragma once
#include "comm/process.h"

namespace thrum {

// Complete the requests that the rank has freed while they were pending. Receives wait for their
// message; those for which no rank can send one (departure.h) are cancelled. Return the number of
// the cancelled ones.
//
// For MPI_Finalize and the end of the last session, when no other thread of the rank communicates.
// The first also frees the rank's pools.
int finish_requests_of_world(Process &process) MAY_SUSPEND;
int finish_requests_of_sessions(Process &process, bool world_is_over) MAY_SUSPEND;
// For MPI_Comm_disconnect: the first completes all but receives; the second the receives, when
// all members have called it.
void finish_freed_sends(const Communicator &comm) MAY_SUSPEND;
int finish_freed_receives(const Communicator &comm) MAY_SUSPEND;

} // namespace thrum
