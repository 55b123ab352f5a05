// SharedHeap: memory for MPI_Alloc_mem that the node's other processes can map, so that a message
// from it costs one memcpy. Ordinary memory would take a system call that looks up each page. It is
// one sparse memfd: pages exist once they are used, and are returned when freed.
#pragma once
#include "base/spinlock.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <sys/types.h>

namespace thrum {

// The result of releasing memory.
enum class HeapRelease {
    Released,
    NotFromHere,
    NotInUse, // inside this memory, but not the start of an allocation
};

// The heap of this process. All its functions may be called by any thread.
class SharedHeap {
public:
    SharedHeap() = default;
    ~SharedHeap();
    SharedHeap(const SharedHeap &) = delete;
    SharedHeap &operator=(const SharedHeap &) = delete;

    // Creates the heap. Returns false if there is not enough address space, or a limit forbids it.
    bool create();
    // Returns nullptr if there is no room. `alignment` is a power of two.
    void *allocate(size_t bytes, size_t alignment);
    // Frees memory that starts at `memory`.
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
    SpinLock lock_;                 // guards the rest; maps offset to bytes
    std::map<size_t, size_t> free_; // without adjacent entries
    std::map<size_t, size_t> in_use_;
};

// Maps the heap of process `pid`; nullptr: it cannot be mapped.
char *map_heap_of(pid_t pid, int fd, size_t bytes);

} // namespace thrum
