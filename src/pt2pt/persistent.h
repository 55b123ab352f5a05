// Persistent requests (MPI 5.0 section 3.9).
#pragma once
#include "base/may_suspend.h"
#include "pt2pt/request.h"

namespace thrum {

MPI_Request send_init(const void *buffer, Count count, Datatype &datatype, int dest, int tag,
                      Communicator &comm, SendMode mode);
MPI_Request receive_init(void *buffer, Count count, Datatype &datatype, int source, int tag,
                         Communicator &comm);

// MPI_ERR_REQUEST if the request is not persistent, or active already.
Error start(Request &request) MAY_SUSPEND;

} // namespace thrum
