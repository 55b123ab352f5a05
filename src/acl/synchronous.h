// Synchronous messages (ACLMPL paper, section 4.1, figure 1): a send and its receive meet at a
// request block, and the data is copied once. Addresses have been checked.
#pragma once
#include "acl/partition.h"

namespace thrum {

// What is sent, and to whom.
struct SyncSend {
    int dest;
    const void *buffer;
    size_t size_bytes;
};

// Where it shall go, and from whom it comes.
struct SyncReceive {
    int source;
    void *buffer;
    size_t room_bytes;
};

Error synchronous_send(ProcessingElement &self, const SyncSend &send) MAY_SUSPEND;
// `message_bytes` becomes the length of the message.
Error synchronous_receive(ProcessingElement &self, const SyncReceive &receive,
                          size_t &message_bytes) MAY_SUSPEND;
// Both at once. Either both peers are the caller, or neither.
Error send_and_receive(ProcessingElement &self, const SyncSend &send, const SyncReceive &receive,
                       size_t &message_bytes) MAY_SUSPEND;

} // namespace thrum
