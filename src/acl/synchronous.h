// Synchronous messages (ACLMPL paper, section 4.1, figure 1): a send and its receive meet at a
// request block, and the data are copied once (between node processes: remote_message.h). Addresses
// have been checked. All functions fail if another thread of the rank already does the same with
// this peer.
#pragma once
#include "acl/synchronous_message.h"

namespace thrum {

// Sends a message, and returns when the receiver has it.
Error synchronous_send(ProcessingElement &self, const SyncSend &send) MAY_SUSPEND;
// Receives a message. `message_bytes` becomes its length; fails if that exceeds the buffer.
Error synchronous_receive(ProcessingElement &self, const SyncReceive &receive,
                          size_t &message_bytes) MAY_SUSPEND;
// Does both at once. Either both peers are the caller, or neither.
Error send_and_receive(ProcessingElement &self, const SyncSend &send, const SyncReceive &receive,
                       size_t &message_bytes) MAY_SUSPEND;

} // namespace thrum
