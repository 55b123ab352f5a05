// Sends (MPI 5.0 sections 3.2, 3.4, 3.6, 3.7.2). Arguments have been checked. `dest` may be
// MPI_PROC_NULL.
#pragma once
#include "pt2pt/outgoing.h"

namespace thrum {

Error send(const void *buffer, Count count, Datatype &datatype, int dest, int tag,
           Communicator &comm, SendMode mode = SendMode::Standard) MAY_SUSPEND;

Error isend(const void *buffer, Count count, Datatype &datatype, int dest, int tag,
            Communicator &comm, SendMode mode, MPI_Request *request) MAY_SUSPEND;

// The same in standard mode for data that may be packed. `datatype` is that of `data`, or nullptr.
Error send_data(const SourceData &data, int dest, int tag, Communicator &comm) MAY_SUSPEND;
void isend_data(const SourceData &data, Datatype *datatype, int dest, int tag, Communicator &comm,
                MPI_Request *request) MAY_SUSPEND;

Buffering may_buffer(SendMode mode, size_t size_bytes, const Process &sender);

// Hands the message to a posted receive or, with `buffering` and if the receiver has not too many
// already, leaves a copy of it with the receiver. False if neither could be done: nothing has
// happened then.
bool send_now(const Outgoing &out, Mailbox &receiver, Buffering buffering) MAY_SUSPEND;

// Leaves the envelope of `request`, which has buffer, count, datatype, size_bytes and
// message.envelope set, with the receiver, who will complete it. True if a receive was posted
// meanwhile: the data is delivered and the request will not be completed.
bool leave_envelope(SendRequest &request, Mailbox &receiver) MAY_SUSPEND;

// Starts a persistent send.
Error start_send(SendRequest &request) MAY_SUSPEND;

} // namespace thrum
