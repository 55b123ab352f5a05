// The end of requests that MPI_Request_free was called for while they were pending.
#pragma once
#include "comm/process.h"

namespace thrum {

// Complete what the rank has freed while it was pending. Receives wait for their message; those for
// which nobody can send one any more (departure.h) are cancelled. Return the number of these.
//
// For MPI_Finalize and the end of the last session, once no other thread of the rank communicates
// any more. The first frees the rank's pools, too.
int finish_requests_of_world(Process &process) MAY_SUSPEND;
int finish_requests_of_sessions(Process &process, bool world_is_over) MAY_SUSPEND;
// For MPI_Comm_disconnect: what is no receive; the receives, once all members have come.
void finish_freed_sends(const Communicator &comm) MAY_SUSPEND;
int finish_freed_receives(const Communicator &comm) MAY_SUSPEND;

} // namespace thrum
