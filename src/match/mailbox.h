// Mailbox: where messages meet receives; every rank has one. The lock is held for a match only, never
// while data is copied (TOMPI's critical section).
#pragma once
#include "base/spinlock.h"
#include "match/posted_queue.h"
#include "match/unexpected_queue.h"

namespace thrum {

struct Mailbox {
    SpinLock lock; // guards both queues
    PostedQueue posted;
    UnexpectedQueue unexpected;
};

} // namespace thrum
