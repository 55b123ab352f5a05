// Synchronous messages (ACLMPL paper, section 4.1, figure 1): a send and its receive meet at a
// request block, and the data is copied once (between node processes: remote.h). Addresses have
// been checked.
#pragma once
#include "acl/synchronous_message.h"

namespace thrum {

Error synchronous_send(ProcessingElement &self, const SyncSend &send) MAY_SUSPEND;
// `message_bytes` becomes the length of the message.
Error synchronous_receive(ProcessingElement &self, const SyncReceive &receive,
                          size_t &message_bytes) MAY_SUSPEND;
// Both at once. Either both peers are the caller, or neither.
Error send_and_receive(ProcessingElement &self, const SyncSend &send, const SyncReceive &receive,
                       size_t &message_bytes) MAY_SUSPEND;

} // namespace thrum
