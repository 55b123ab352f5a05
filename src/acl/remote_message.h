// Synchronous messages between PEs of different node processes, and the function that takes all
// their packets (element_packet.h). Addresses have been checked; the other PE is elsewhere.
#pragma once
#include "acl/synchronous_message.h"

namespace thrum {

// Sends a message, and returns when the receiver has reached its receive; for large data, when it
// has read them.
Error send_to_process(ProcessingElement &self, const SyncSend &send) MAY_SUSPEND;

// Makes a receive that has not begun. It must stay at its address until it is done.
RemoteReceive receive_of(const ProcessingElement &self, const SyncReceive &receive);
// Takes the message from the PE at `source` if it has arrived; otherwise the message completes
// `receive` when it arrives. Tells the sender that it is received.
Error begin_receive(ProcessingElement &self, int source, RemoteReceive &receive) MAY_SUSPEND;

// Installs the arrive function, before any other process may send. Idempotent.
void begin_remote_elements();

} // namespace thrum
