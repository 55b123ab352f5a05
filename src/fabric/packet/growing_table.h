// GrowingTable: entries for the processes of a job that may get more while it runs. Entries do not
// move; those after the initial ones are made when first requested.
#pragma once
#include "base/check.h"
#include "base/spinlock.h"

#include <atomic>
#include <cstddef>
#include <new>
#include <sys/mman.h>

namespace thrum {

template <class T>
class GrowingTable {
public:
    // Makes `count` entries; there can be up to `most`.
    GrowingTable(size_t count, size_t most) : most_(most) {
        void *memory = ::mmap(nullptr, bytes(), PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        CHECK(memory != MAP_FAILED, "out of memory for %zu processes", most);
        entries_ = static_cast<T *>(memory);
        grow(count);
    }

    ~GrowingTable() {
        for (size_t i = 0; i < count(); ++i)
            entries_[i].~T();
        ::munmap(static_cast<void *>(entries_), bytes());
    }

    GrowingTable(const GrowingTable &) = delete;
    GrowingTable &operator=(const GrowingTable &) = delete;

    T &operator[](size_t i) {
        if (i >= count()) [[unlikely]]
            grow(i + 1);
        return entries_[i];
    }

    size_t index_of(const T &entry) const { return static_cast<size_t>(&entry - entries_); }

    size_t count() const { return count_.load(std::memory_order_acquire); } // [table-1]

private:
    size_t bytes() const { return sizeof(T) * (most_ ? most_ : 1); }

    [[gnu::noinline]] void grow(size_t count) {
        CHECK(count <= most_, "entry %zu of at most %zu", count, most_);
        LockGuard guard(lock_);
        for (size_t i = count_.load(std::memory_order_relaxed); i < count; ++i) {
            new (&entries_[i]) T;
            count_.store(i + 1, std::memory_order_release); // release [table-1]: it is made
        }
    }

    size_t most_;
    T *entries_ = nullptr;
    std::atomic<size_t> count_{0};
    SpinLock lock_; // held while entries are made
};

} // namespace thrum
