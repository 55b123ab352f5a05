// SpinLock: held for a few instructions only, never across a suspension.
#pragma once
#include <atomic>
#include <sched.h>

namespace thrum {

inline void cpu_pause() {
    __builtin_ia32_pause();
}

class SpinLock {
public:
    void lock() {
        // acquire [lock-1]: pairs with the release in unlock() [lock-2].
        if (!locked_.exchange(true, std::memory_order_acquire)) [[likely]]
            return;
        lock_contended();
    }

    bool try_lock() {
        return !locked_.load(std::memory_order_relaxed) &&
               !locked_.exchange(true, std::memory_order_acquire); // [lock-1]
    }

    // release [lock-2]: publishes what the holder wrote.
    void unlock() { locked_.store(false, std::memory_order_release); }

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
class [[nodiscard]] LockGuard {
public:
    explicit LockGuard(SpinLock &lock) : lock_(lock) { lock_.lock(); }

    ~LockGuard() { lock_.unlock(); }

    LockGuard(const LockGuard &) = delete;
    LockGuard &operator=(const LockGuard &) = delete;

private:
    SpinLock &lock_;
};

} // namespace thrum
