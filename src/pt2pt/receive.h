// Receives (MPI 5.0 sections 3.2.4, 3.7.2). The arguments have been checked. `source` may be a
// wildcard or MPI_PROC_NULL; `status` may be MPI_STATUS_IGNORE.
#pragma once
#include "pt2pt/request.h"

namespace thrum {

// Does MPI_Recv. Returns MPI_ERR_TRUNCATE, or MPI_ERR_PROC_ABORTED if the sender is lost.
Error receive(void *buffer, Count count, Datatype &datatype, int source, int tag,
              Communicator &comm, MPI_Status *status) MAY_SUSPEND;

Error ireceive(void *buffer, Count count, Datatype &datatype, int source, int tag,
               Communicator &comm, MPI_Request *request) MAY_SUSPEND;

// Receives the oldest unexpected message that `request` accepts, or posts the request. Returns true
// if it is complete; its completion word is not touched then. Returns false if another thread will
// complete it.
bool receive_now(ReceiveRequest &request, Mailbox &mailbox) MAY_SUSPEND;

// Receives a message that has been removed from the unexpected queue of `mailbox`. The caller holds
// the mailbox's lock, which is released. Returns what receive_now() does: false if the data are
// still on their way.
bool receive_message_unlock(UnexpectedMessage &message, ReceiveRequest &request,
                            Mailbox &mailbox) MAY_SUSPEND;

// Fills in the status of a complete receive. Returns MPI_ERR_TRUNCATE if the message was too long.
// Reports a difference of types.
Error receive_result(Request &request, MPI_Status *status);

// Starts a persistent receive, which is inactive.
void start_receive(ReceiveRequest &request) MAY_SUSPEND;

} // namespace thrum
