// SharedLock: the lock of a target in another process of the node, in memory that both have mapped.
// A free lock is taken and released there by one atomic operation each. Who has to wait sends a
// message to the target's process, whose WindowLock has the queue and uses the same word.
//
// Beside the word is a count for each process of the window, of how often its ranks hold the lock:
// if a process is lost, the target's process releases what it held. A process that is lost between
// two instructions, between word and count, may leave a lock that nobody holds.
#pragma once
#include "base/bytes.h"
#include "rma/lock_word.h"

#include <cstddef>

namespace thrum {

class SharedLock {
public:
    SharedLock() = default;

    // `record`: the lock's place in the mapped memory; nullptr: none. `process`: number of the
    // holders' process in the window.
    SharedLock(char *record, int process) {
        if (!record)
            return;
        word_ = reinterpret_cast<LockWord *>(record);
        holders_ = reinterpret_cast<Holders *>(record + line_bytes) + process;
    }

    // Returns the bytes of a record; it is full of zeros if nobody holds the lock.
    static size_t record_bytes(size_t processes) {
        return line_bytes + align_up(processes * sizeof(Holders), line_bytes);
    }

    explicit operator bool() const { return word_ != nullptr; }

    LockWord &word() const { return *word_; }

    // Takes the lock if it is free and nobody waits for it. `several`: as in WindowLock.
    bool try_acquire(LockMode mode, bool several) const {
        count_holder(mode);
        if (word_->enter(mode, several, LockWord::queued | LockWord::exposed)) [[likely]]
            return true;
        discount_holder(mode);
        return false;
    }

    // Releases it. Returns true if the target's process has to be told, because requests wait.
    bool release(LockMode mode) const {
        const bool queued = word_->leave(mode);
        discount_holder(mode);
        return queued;
    }

    // Counts a lock that the target's process has taken for a rank of this one.
    void count_holder(LockMode mode) const { count(mode).fetch_add(1, std::memory_order_relaxed); }

    // Forgets all holders of a lost process; returns how many there were.
    uint32_t forget_holders(LockMode mode) const {
        return count(mode).exchange(0, std::memory_order_relaxed);
    }

    // Forgets one of them. Returns false if all are forgotten already.
    bool forget_holder(LockMode mode) const {
        uint32_t holders = count(mode).load(std::memory_order_relaxed);
        while (holders > 0)
            if (count(mode).compare_exchange_weak(holders, holders - 1, std::memory_order_relaxed))
                return true;
        return false;
    }

private:
    static constexpr size_t line_bytes = 64; // other processes change the word all the time

    // Of one process.
    struct Holders {
        std::atomic<uint32_t> by_mode[2];
    };

    std::atomic<uint32_t> &count(LockMode mode) const {
        return holders_->by_mode[static_cast<int>(mode)];
    }

    void discount_holder(LockMode mode) const {
        count(mode).fetch_sub(1, std::memory_order_relaxed);
    }

    LockWord *word_ = nullptr;
    Holders *holders_ = nullptr;
};

} // namespace thrum
