// The data of a message from another process, for its receive: data that came with the envelope,
// and data that are read from the sender's memory (rendezvous).
#pragma once
#include "fabric/fabric.h"
#include "pt2pt/request.h"

namespace thrum {

// Notifies the sender that its data have been taken. A no-op if it does not wait for that (`sender`
// is 0).
void answer_done(NodeProcess source, uint64_t sender) MAY_SUSPEND;

// Reads the data of a message of size_bytes bytes that `request` has matched, answers its sender
// and completes the request, perhaps before the call returns.
void start_fetch(NodeProcess source, uint64_t sender, const RemoteMemory &memory,
                 ReceiveRequest &request, size_t size_bytes) MAY_SUSPEND;

// Stores data that are in this process in the buffer of `request`. `owned`: they are from malloc,
// and the callee frees or keeps them. Does not complete the request.
void take_data(ReceiveRequest &request, void *data, size_t size_bytes, bool owned);

} // namespace thrum
