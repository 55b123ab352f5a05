// Receives (MPI 5.0 sections 3.2.4, 3.7.2). Arguments have been checked. `source` may be a wildcard
// or MPI_PROC_NULL; `status` MPI_STATUS_IGNORE.
#pragma once
#include "pt2pt/request.h"

namespace thrum {

Error receive(void *buffer, Count count, Datatype &datatype, int source, int tag,
              Communicator &comm, MPI_Status *status) MAY_SUSPEND;

Error ireceive(void *buffer, Count count, Datatype &datatype, int source, int tag,
               Communicator &comm, MPI_Request *request) MAY_SUSPEND;

// Receives the oldest unexpected message that `request` accepts, or posts it. True if it is
// complete (its completion word is not touched then). False: somebody will complete it.
bool receive_now(ReceiveRequest &request, Mailbox &mailbox) MAY_SUSPEND;

// Receives a message that has been removed from the unexpected queue of `mailbox`. The caller holds
// the mailbox's lock, which is released. As receive_now(): false if the data are still under way.
bool receive_message_unlock(UnexpectedMessage &message, ReceiveRequest &request,
                            Mailbox &mailbox) MAY_SUSPEND;

// Fills in the status of a complete receive; MPI_ERR_TRUNCATE if the message was too long.
Error receive_result(const Request &request, MPI_Status *status);

// Starts a persistent receive.
void start_receive(ReceiveRequest &request) MAY_SUSPEND;

} // namespace thrum
