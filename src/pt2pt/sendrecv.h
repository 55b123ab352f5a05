// A send and a receive in one call (MPI 5.0 section 3.10). `dest` and `source` may be
// MPI_PROC_NULL.
#pragma once
#include "pt2pt/request.h"

namespace thrum {

// The arguments of the two parts.
struct SendPart {
    const void *buffer;
    Count count;
    Datatype &datatype;
    int dest, tag;
};

struct ReceivePart {
    void *buffer;
    Count count;
    Datatype &datatype;
    int source, tag;
};

// Does MPI_Sendrecv. If both parts fail, the send's error is returned.
Error send_receive(const SendPart &send, const ReceivePart &receive, Communicator &comm,
                   MPI_Status *status) MAY_SUSPEND;
// Does MPI_Sendrecv_replace: buffer, count and datatype of both parts are the same.
Error send_receive_replace(const SendPart &send, const ReceivePart &receive, Communicator &comm,
                           MPI_Status *status) MAY_SUSPEND;

// Make one request of the two parts.
Error isend_receive(const SendPart &send, const ReceivePart &receive, Communicator &comm,
                    MPI_Request *request) MAY_SUSPEND;
Error isend_receive_replace(const SendPart &send, const ReceivePart &receive, Communicator &comm,
                            MPI_Request *request) MAY_SUSPEND;

} // namespace thrum
