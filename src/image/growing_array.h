// GrowingArray: an array in memory that it gets directly from the kernel. capture() runs before
// every other constructor of the process, when malloc may be a function of the program that is
// about to be copied. So nothing in this layer may allocate by malloc. It needs no construction at
// run time, and its memory is freed by release() only. Growing moves the items.
#pragma once
#include "base/check.h"

#include <cstddef>
#include <sys/mman.h>
#include <type_traits>

namespace thrum {

template <class T>
class GrowingArray {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    void push_back(const T &value) {
        if (size_ == capacity_)
            grow();
        items_[size_++] = value;
    }

    // Drops the items from `size` on. It cannot enlarge the array.
    void shrink_to(size_t size) { size_ = size; }

    // Gives the memory back; the array is empty again.
    void release() {
        if (items_)
            ::munmap(items_, capacity_bytes_);
        items_ = nullptr;
        size_ = capacity_ = capacity_bytes_ = 0;
    }

    size_t size() const { return size_; }

    bool empty() const { return size_ == 0; }

    T *begin() { return items_; }

    T *end() { return items_ + size_; }

    const T *begin() const { return items_; }

    const T *end() const { return items_ + size_; }

    T &operator[](size_t i) { return items_[i]; }

    const T &operator[](size_t i) const { return items_[i]; }

    T &back() { return items_[size_ - 1]; }

private:
    // Doubles the memory. Ends the process if there is none: the tables are needed before any rank
    // runs.
    void grow() {
        constexpr size_t first_bytes = 16 << 10;
        size_t old_bytes = capacity_bytes_;
        capacity_bytes_ = old_bytes ? 2 * old_bytes : first_bytes;
        void *memory = old_bytes ? ::mremap(items_, old_bytes, capacity_bytes_, MREMAP_MAYMOVE)
                                 : ::mmap(nullptr, capacity_bytes_, PROT_READ | PROT_WRITE,
                                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED)
            die(2, "out of memory for %zu bytes of the tables of the images", capacity_bytes_);
        items_ = static_cast<T *>(memory);
        capacity_ = capacity_bytes_ / sizeof(T);
    }

    T *items_ = nullptr;
    size_t size_ = 0;
    size_t capacity_ = 0;
    size_t capacity_bytes_ = 0;
};

} // namespace thrum
