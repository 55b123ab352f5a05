#include "base/held_locks.h"

#include "base/check.h"

#ifdef THRUM_COUNT_LOCKS

namespace thrum {
namespace {

constinit thread_local int held = 0;

} // namespace

void count_lock() {
    ++held;
}

void discount_lock() {
    --held;
}

int held_locks() {
    return held;
}

void refuse_held_locks() {
    CHECK(held == 0, "%d spin locks are held in a call that may suspend; release them before it",
          held);
}

void forget_held_locks() {
    held = 0;
}

} // namespace thrum

#endif
