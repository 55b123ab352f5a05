// SpinLock: held for a few instructions only, never across a suspension (held_locks.h).
#pragma once
#include "base/held_locks.h"
#include "base/may_suspend.h"

#include <atomic>
#include <sched.h>

namespace thrum {

inline void cpu_pause() {
    __builtin_ia32_pause();
}

class SpinLock {
public:
    void lock() {
        // acquire [lock-1]: sees what the last holder wrote.
        if (locked_.exchange(true, std::memory_order_acquire)) [[unlikely]]
            lock_contended();
        count_lock();
    }

    // Does the same. Returns false if another thread held the lock, so that it had to wait.
    bool lock_at_once() {
        const bool held = locked_.exchange(true, std::memory_order_acquire); // [lock-1]
        if (held) [[unlikely]]
            lock_contended();
        count_lock();
        return !held;
    }

    bool try_lock() {
        if (locked_.load(std::memory_order_relaxed) ||
            locked_.exchange(true, std::memory_order_acquire)) // [lock-1]
            return false;
        count_lock();
        return true;
    }

    void unlock() {
        discount_lock();
        // release [lock-1]: publishes what the holder wrote.
        locked_.store(false, std::memory_order_release);
    }

private:
    [[gnu::noinline]] void lock_contended() {
        // On a busy machine the holder may have lost its core: yields instead of spinning on.
        constexpr int spins_before_yield = 100;
        for (int spins = 0;;) {
            if (!locked_.load(std::memory_order_relaxed) &&
                !locked_.exchange(true, std::memory_order_acquire)) // [lock-1]
                return;
            if (++spins < spins_before_yield) {
                cpu_pause();
            } else {
                spins = 0;
                ::sched_yield();
            }
        }
    }

    std::atomic<bool> locked_{false};
};

// Holds a lock for a scope, like std::lock_guard, but without including <mutex>.
template <class Lock = SpinLock>
class [[nodiscard]] THREAD_SAFETY(scoped_lockable) LockGuard {
public:
    explicit LockGuard(Lock &lock) THREAD_SAFETY(acquire_capability(some_spin_lock)) : lock_(lock) {
        lock_.lock();
    }

    ~LockGuard() THREAD_SAFETY(release_capability()) { lock_.unlock(); }

    LockGuard(const LockGuard &) = delete;
    LockGuard &operator=(const LockGuard &) = delete;

private:
    Lock &lock_;
};

} // namespace thrum
