// The data of a message from another process, for its receive: those that have come along, and
// those that are read from the sender's memory (rendezvous).
#pragma once
#include "fabric/fabric.h"
#include "pt2pt/request.h"

namespace thrum {

// Tells the sender that its data have been taken; a no-op if it does not wait for that (0).
void answer_done(NodeProcess source, uint64_t sender) MAY_SUSPEND;

// Reads the data of a message that `request` has met, answers its sender and completes the request.
void start_fetch(NodeProcess source, uint64_t sender, const RemoteMemory &memory,
                 ReceiveRequest &request) MAY_SUSPEND;

// Gives `request` data that are here. `owned`: they are from malloc, and the callee's from now on.
void take_data(ReceiveRequest &request, void *data, size_t size_bytes, bool owned);

} // namespace thrum
