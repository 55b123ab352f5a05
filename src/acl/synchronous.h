// Synchronous messages (ACLMPL paper, section 4.1, figure 1): a send and its receive meet at a
// request block, and the data is copied once (between node processes: remote.h). Addresses have
// been checked.
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

// --- For remote.cc. What is waited for, in reports:
enum class Side : uintptr_t { Sender = 1, Receiver = 2 };

struct SyncBlockage : Blockage {
    // `bytes`: of the message, or of the room for it.
    SyncBlockage(const ProcessingElement &its_self, int its_other, Side its_side, size_t its_bytes)
        : self(&its_self), other(its_other), side(its_side), bytes(its_bytes) {
        kind = Kind::Described;
        describe = describe_wait;
    }

    static Describe describe_wait;

    const ProcessingElement *self;
    int other; // address
    Side side;
    size_t bytes;
};

// The sender completes `done`.
void await_sender(const ProcessingElement &self, const SyncReceive &receive,
                  Completion &done) MAY_SUSPEND;

[[gnu::cold]] Error buffer_too_small(const SyncReceive &receive, size_t message_bytes);
[[gnu::cold]] Error two_threads(Side side, int peer);

inline Error check_room(const SyncReceive &receive, size_t message_bytes) {
    return message_bytes <= receive.room_bytes ? success : buffer_too_small(receive, message_bytes);
}

} // namespace thrum
