// Synchronous messages between PEs of different node processes, and the function that takes in all
// their packets (element_packet.h). Addresses have been checked; the other PE is elsewhere.
#pragma once
#include "acl/synchronous_message.h"

namespace thrum {

Error send_to_process(ProcessingElement &self, const SyncSend &send) MAY_SUSPEND;

// A receive that has not begun. It stays at its address until it is done.
RemoteReceive receive_of(const ProcessingElement &self, const SyncReceive &receive);
// Takes the message from the PE at `source` if it has arrived; else the message completes `receive`
// when it does. Tells the sender that it is received.
Error begin_receive(ProcessingElement &self, int source, RemoteReceive &receive) MAY_SUSPEND;

// Makes this process take in packets, before any of the others may send. Idempotent.
void begin_remote_elements();

} // namespace thrum
