// RemotePeer: what a PE knows of a PE in another node process: the state of the synchronous
// messages between the two, in both directions.
#pragma once
#include "acl/element_packet.h"
#include "base/spinlock.h"
#include "fiber/completion.h"

#include <cstdlib>

namespace thrum {

// A synchronous receive from a PE elsewhere; on the stack of the receiver, which waits for `done`.
struct RemoteReceive {
    ElementHeader taken; // the packet that tells the sender that its large data were read
    void *buffer;
    size_t room_bytes;
    size_t message_bytes = 0; // set before `done`
    Completion done;
};

// All fields are guarded by the lock. The first four are about messages to the peer, the others
// about messages from it.
struct RemotePeer {
    RemotePeer() = default;

    ~RemotePeer() { std::free(arrived_data); }

    RemotePeer(const RemotePeer &) = delete;
    RemotePeer &operator=(const RemotePeer &) = delete;

    SpinLock lock;
    bool sending = false;               // a thread of this PE sends to it
    bool ready = false;                 // Ready has arrived for a message that is not sent yet
    Completion *awaits_ready = nullptr; // of the thread that sends
    Completion *awaits_taken = nullptr; // likewise, for large data
    RemoteReceive *receiver = nullptr;  // waits for a message from it
    bool arrived = false; // a message that nobody has received; it is in the next three
    size_t arrived_bytes = 0;
    void *arrived_data = nullptr; // from malloc
    RemoteMemory arrived_memory;  // where large data are; no bytes: they have come along
};

} // namespace thrum
