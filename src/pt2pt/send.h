// Sends (MPI 5.0 sections 3.2, 3.4, 3.6, 3.7.2). The arguments have been checked. `dest` may be
// MPI_PROC_NULL. Messages to one receiver are matched or queued in the order of the calls.
#pragma once
#include "pt2pt/outgoing.h"

namespace thrum {

// Does MPI_Send and its other modes.
Error send(const void *buffer, Count count, Datatype &datatype, int dest, int tag,
           Communicator &comm, SendMode mode = SendMode::Standard) MAY_SUSPEND;

// Does MPI_Isend. `request` is a constant if the send is complete when the call returns.
Error isend(const void *buffer, Count count, Datatype &datatype, int dest, int tag,
            Communicator &comm, SendMode mode, MPI_Request *request) MAY_SUSPEND;

// Returns whether a receive for a message of the caller is posted: a ready send may begin only then
// (section 3.4). Of receivers in other processes that is not known; the answer is yes.
bool receive_is_posted(int dest, int tag, Communicator &comm);

// Do the same in standard mode for data that may be packed. `datatype` is that of `data`.
Error send_data(const SourceData &data, int dest, int tag, Communicator &comm) MAY_SUSPEND;
void isend_data(const SourceData &data, Datatype *datatype, int dest, int tag, Communicator &comm,
                MPI_Request *request) MAY_SUSPEND;

// Returns whether a message of this mode and size may be buffered at the receiver.
Buffering may_buffer(SendMode mode, size_t size_bytes, const Process &sender);

// Copies the message to a posted receive or, if `buffering` allows it and the receiver's mailbox is
// not full, leaves a copy of it with the receiver. Returns false if neither is possible: then
// nothing has happened.
bool send_now(const Outgoing &out, int dest, Communicator &comm, Buffering buffering) MAY_SUSPEND;

// Leaves the envelope of `request` in the receiver's queue, so that the receiver completes the
// request. `request` has buffer, count, datatype, size_bytes and message.envelope. Returns true if
// a receive was posted in between: the data are delivered and the request will not be completed.
bool leave_envelope(SendRequest &request, Mailbox &receiver) MAY_SUSPEND;

// Starts a persistent send, which is inactive. Returns MPI_ERR_BUFFER if a buffered send has no
// room.
Error start_send(SendRequest &request) MAY_SUSPEND;

} // namespace thrum
