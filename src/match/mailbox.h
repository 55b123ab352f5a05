// Mailbox: where a rank's messages meet its receives. The lock is held only during a match, and
// never while more than a tiny payload is copied (TOMPI's critical section).
#pragma once
#include "base/block_pool.h"
#include "base/settings.h"
#include "base/spinlock.h"
#include "match/posted_queue.h"
#include "match/unexpected_queue.h"

#include <atomic>

namespace thrum {

class Recorder; // trace/recorder.h
struct Prober;  // pt2pt/probers.h: a task that waits in MPI_Probe

// A rank's mailbox. A sender that finds a posted receive accesses only the first cache line. Any
// rank's thread may use it, under its lock.
struct alignas(64) Mailbox {
    SpinLock lock; // guards everything below
    PostedQueue posted;
    alignas(64) UnexpectedQueue unexpected;
    BlockPool<UnexpectedMessage> messages; // allocates the nodes of `unexpected`
    size_t buffered_bytes = 0; // bytes of buffered messages, whose senders have completed
    // Above this limit senders wait as in rendezvous.
    size_t buffered_bytes_max = settings().buffered_bytes_max;
    Prober *probers = nullptr;                 // tasks to wake when an unexpected message arrives
    std::atomic<Recorder *> recorder{nullptr}; // owned by the rank; senders count in it, too
};

} // namespace thrum
