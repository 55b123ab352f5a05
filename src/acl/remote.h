// Messages between PEs of different node processes (docs/between_processes.md). Addresses have been
// checked; the other PE is elsewhere.
//
//   synchronous   sender                            receiver
//                 Data, when it sends  -----------> waits for it, or finds it later
//                 waits for it, or finds it  <----- Ready, when it receives
//   large         Data (memory)  -----------------> waits for it; reads the memory
//                 waits for it  <------------------ Taken
//   asynchronous  Async  -------------------------> the list of the receiver's pool
//                                  <--------------- Stop, when it has too much; Go
//
// Ready is the paper's request. Here the sender does not wait for it before it sends, but before it
// returns: whoever comes last finds what it needs, and a message costs two packets whoever it is.
#pragma once
#include "acl/synchronous.h"
#include "base/spinlock.h"
#include "fabric/fabric.h"

namespace thrum {

struct RemoteReceive; // remote.cc

// What a PE knows of a PE elsewhere. All of it is guarded by the lock.
struct RemotePeer {
    RemotePeer() = default;
    ~RemotePeer();
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

Error send_to_process(ProcessingElement &self, const SyncSend &send) MAY_SUSPEND;
// `meanwhile`: what is sent after it has been said that the caller receives; nullptr: nothing.
Error receive_from_process(ProcessingElement &self, const SyncReceive &receive,
                           const SyncSend *meanwhile, size_t &message_bytes) MAY_SUSPEND;

void async_send_to_process(ProcessingElement &self, int dest, int tag, const void *data,
                           size_t size_bytes) MAY_SUSPEND;
// The PE of this process with this number in the job, which has told `processes` to stop, has room.
// `change`: see AsyncPool::deposit().
void let_processes_go(int number, int change, const std::vector<int> &processes) MAY_SUSPEND;

// After all PEs have come to acl_end(): returns when nothing more can come from other processes.
void await_silence(ProcessingElement &self) MAY_SUSPEND;

// Makes this process take in messages; before any of the others may send. Idempotent.
void begin_remote_elements();

} // namespace thrum
