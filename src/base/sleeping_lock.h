// SleepingLock: a lock that OS threads hold across system calls. A thread that has to wait spins
// briefly and then sleeps, because a spinning thread could keep the holder off its core.
#pragma once
#include "base/futex.h"
#include "base/spinlock.h"

namespace thrum {

class SleepingLock {
public:
    class [[nodiscard]] Guard {
    public:
        explicit Guard(SleepingLock &lock) : lock_(lock) { lock_.lock(); }

        ~Guard() { lock_.unlock(); }

        Guard(const Guard &) = delete;
        Guard &operator=(const Guard &) = delete;

    private:
        SleepingLock &lock_;
    };

    bool try_lock() {
        uint32_t expected = free;
        // acquire [sleeping-lock-1]: sees what the last holder wrote.
        return word_.load(std::memory_order_relaxed) == free &&
               word_.compare_exchange_strong(expected, held, std::memory_order_acquire,
                                             std::memory_order_relaxed);
    }

    void lock() {
        constexpr int spins_before_sleep = 100;
        for (int spins = 0; spins < spins_before_sleep; ++spins) {
            if (try_lock())
                return;
            cpu_pause();
        }
        while (word_.exchange(awaited, std::memory_order_acquire) != free) // [sleeping-lock-1]
            futex_wait(word_, awaited);
    }

    void unlock() {
        // release [sleeping-lock-1]
        if (word_.exchange(free, std::memory_order_release) == awaited)
            futex_wake(word_);
    }

private:
    static constexpr uint32_t free = 0, held = 1, awaited = 2; // awaited: held, and a thread sleeps
    std::atomic<uint32_t> word_{free};
};

} // namespace thrum
