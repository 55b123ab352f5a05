// What a PE knows of a PE in another node process: the state of the synchronous messages between
// the two.
#pragma once
#include "acl/element_packet.h"
#include "base/spinlock.h"
#include "fiber/completion.h"

#include <cstdlib>

namespace thrum {

// A synchronous receive from elsewhere; on the stack of the receiver.
struct RemoteReceive {
    ElementHeader taken; // what the sender of large data is sent when they have been read
    void *buffer;
    size_t room_bytes;
    size_t message_bytes = 0;
    Completion done;
};

// All of it is guarded by the lock.
struct RemotePeer {
    RemotePeer() = default;

    ~RemotePeer() { std::free(arrived_data); }

    RemotePeer(const RemotePeer &) = delete;
    RemotePeer &operator=(const RemotePeer &) = delete;

    SpinLock lock;
    bool sending = false;               // a thread of this PE sends to it
    bool ready = false;                 // it has come to a message that has not been sent
    Completion *awaits_ready = nullptr; // of the message that is sent
    Completion *awaits_taken = nullptr;
    RemoteReceive *receiver = nullptr; // waits for a message from it
    bool arrived = false;              // one that nobody has received yet; the next three
    size_t arrived_bytes = 0;
    void *arrived_data = nullptr; // from malloc
    RemoteMemory arrived_memory;  // where large data are; no bytes: they have come along
};

} // namespace thrum
