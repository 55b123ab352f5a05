// Asynchronous messages (ACLMPL paper, section 4.2): from one PE to the pool of another
// (async_pool.h), in this node process or elsewhere. A receiver calls its own pool (mpi/acl.cc).
#pragma once
#include "acl/partition.h"

namespace thrum {

// Sends a copy of the data to the PE with this address, wherever it is. Waits while that PE has
// received too few of its messages.
void asynchronous_send(ProcessingElement &self, int dest, int tag, const void *data,
                       size_t size_bytes) MAY_SUSPEND;
// Passes a message from a PE elsewhere to the pool of `self`. Arrive function: must not wait.
void async_arrived(ProcessingElement &self, const ElementHeader &header,
                   const Arrival &arrival) MAY_SUSPEND;

} // namespace thrum
