// A lock for the looks at a program's loads and stores. They may come from a signal handler, which
// may have interrupted the very code that holds the lock: it must not wait for ever.
#pragma once
#include <mutex>
#include <sched.h>

namespace thrum {

// Locks, and returns whether it has. Gives up when a holder on another core, or one that has lost
// its core, would have unlocked: the caller has interrupted it.
inline bool lock_soon(std::unique_lock<std::mutex> &guard) {
    constexpr int spins_max = 100, attempts_max = 1000;
    for (int attempt = 0; attempt < attempts_max; ++attempt) {
        if (guard.try_lock())
            return true;
        if (attempt >= spins_max)
            ::sched_yield();
    }
    return false;
}

} // namespace thrum
