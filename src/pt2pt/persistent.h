// Persistent requests (MPI 5.0 section 3.9): made inactive, then started any number of times. The
// arguments have been checked.
#pragma once
#include "base/may_suspend.h"
#include "pt2pt/request.h"

namespace thrum {

MPI_Request send_init(const void *buffer, Count count, Datatype &datatype, int dest, int tag,
                      Communicator &comm, SendMode mode);
MPI_Request receive_init(void *buffer, Count count, Datatype &datatype, int source, int tag,
                         Communicator &comm);

// Starts a persistent request of any kind. Returns MPI_ERR_REQUEST if the request is not
// persistent, or already active.
Error start(Request &request) MAY_SUSPEND;

} // namespace thrum
