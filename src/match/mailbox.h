// Mailbox: where messages meet receives; every rank has one. The lock is held for a match only, and
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
struct Prober;  // pt2pt/probe.cc: a task that waits in MPI_Probe

// A sender that meets a posted receive touches the first cache line only.
struct alignas(64) Mailbox {
    SpinLock lock; // guards all that follows
    PostedQueue posted;
    alignas(64) UnexpectedQueue unexpected;
    BlockPool<UnexpectedMessage> messages; // nodes of `unexpected`
    size_t buffered_bytes = 0; // memory taken by messages that their senders have forgotten
    size_t buffered_bytes_max = settings().buffered_bytes_max; // then senders wait as in rendezvous
    Prober *probers = nullptr;                 // tasks to wake when a message becomes unexpected
    std::atomic<Recorder *> recorder{nullptr}; // the rank's own; senders count in it, too
};

} // namespace thrum
