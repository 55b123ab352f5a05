// A synchronous message, as its sender and its receiver describe it, and what both report of it:
// the wait for the other, and errors.
#pragma once
#include "acl/partition.h"

namespace thrum {

// A message as its sender describes it; `dest` is an address.
struct SyncSend {
    int dest;
    const void *buffer;
    size_t size_bytes;
};

// A message as its receiver describes it; `source` is an address.
struct SyncReceive {
    int source;
    void *buffer;
    size_t room_bytes;
};

// Which of the two left an offer; fits into the low bits of its address (synchronous.cc).
enum class Side : uintptr_t { Sender = 1, Receiver = 2 };

// A wait of one side for the other, for reports.
struct SyncBlockage : Blockage {
    // `bytes` are those of the message, or of the receiver's buffer.
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

// Waits until the sender completes `done`.
void await_sender(const ProcessingElement &self, const SyncReceive &receive,
                  Completion &done) MAY_SUSPEND;

// Return errors, and check_room() whether there is one.
[[gnu::cold]] Error buffer_too_small(const SyncReceive &receive, size_t message_bytes);
[[gnu::cold]] Error two_threads(Side side, int peer);

inline Error check_room(const SyncReceive &receive, size_t message_bytes) {
    return message_bytes <= receive.room_bytes ? success : buffer_too_small(receive, message_bytes);
}

} // namespace thrum
