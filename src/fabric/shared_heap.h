// SharedHeap: memory for MPI_Alloc_mem that the other processes of the node can map, so that a
// message out of it is one memcpy: ordinary memory takes a system call, which looks up each page.
// One sparse memfd: pages are there once they are used, and gone when they are given back.
#pragma once
#include "base/spinlock.h"
#include "fabric/allocation.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <sys/types.h>

namespace thrum {

class SharedHeap {
public:
    SharedHeap() = default;
    ~SharedHeap();
    SharedHeap(const SharedHeap &) = delete;
    SharedHeap &operator=(const SharedHeap &) = delete;

    // False: it cannot be had, for lack of address space or a limit.
    bool create();
    // nullptr: there is no room. `alignment` is a power of two.
    void *allocate(size_t bytes, size_t alignment);
    HeapRelease release(void *memory);

    bool contains(uint64_t address) const {
        return address - reinterpret_cast<uintptr_t>(address_) < bytes_;
    }

    int fd() const { return fd_; }

    char *address() const { return address_; }

    size_t bytes() const { return bytes_; }

private:
    int fd_ = -1;
    char *address_ = nullptr;
    size_t bytes_ = 0;
    SpinLock lock_;                 // guards the rest; offset: bytes
    std::map<size_t, size_t> free_; // never two neighbours
    std::map<size_t, size_t> in_use_;
};

// The heap of process `pid`; nullptr: it cannot be mapped.
char *map_heap_of(pid_t pid, int fd, size_t bytes);

} // namespace thrum
