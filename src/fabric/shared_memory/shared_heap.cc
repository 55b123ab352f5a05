// First-fit allocation of pages in a sparse file; large allocations are rare, so ordered maps
// suffice.
#include "fabric/shared_memory/shared_heap.h"

#include "base/bytes.h"
#include "base/descriptor.h"
#include "fabric/channel/segment.h"
#include "fabric/packet/packet.h"

#include <algorithm>
#include <cstdio>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

namespace thrum {
namespace {

constexpr size_t page_bytes = 4096;
constexpr size_t most_bytes = size_t{64} << 30; // address space, in each process of the node

// Returns the size of the machine's memory.
size_t wanted_bytes() {
    const long pages = ::sysconf(_SC_PHYS_PAGES);
    const size_t all = pages > 0 ? static_cast<size_t>(pages) * page_bytes : most_bytes;
    return std::min(all, most_bytes);
}

} // namespace

SharedHeap::~SharedHeap() {
    if (address_)
        ::munmap(address_, bytes_);
    if (fd_ >= 0)
        ::close(fd_);
}

// Maps a sparse file as large as the machine's memory. Pages cost memory only when they are used.
bool SharedHeap::create() {
    const size_t bytes = wanted_bytes();
    rlimit limit{};
    if (::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < bytes)
        return false;
    fd_ = move_descriptor_up(::memfd_create("thrum-heap", MFD_CLOEXEC));
    if (fd_ < 0 || ::ftruncate(fd_, static_cast<off_t>(bytes)) != 0)
        return false;
    void *memory =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd_, 0);
    if (memory == MAP_FAILED)
        return false;
    address_ = static_cast<char *>(memory);
    bytes_ = bytes;
    free_[0] = bytes;
    return true;
}

// First fit. Pieces are whole pages, so that their memory can be given back.
void *SharedHeap::allocate(size_t bytes, size_t alignment) {
    if (bytes > bytes_)
        return nullptr;
    bytes = align_up(std::max<size_t>(bytes, 1), page_bytes);
    const auto base = reinterpret_cast<uintptr_t>(address_);
    LockGuard guard(lock_);
    for (auto [at, length] : free_) {
        const size_t begin = align_up(base + at, std::max(alignment, page_bytes)) - base;
        if (begin - at > length || length - (begin - at) < bytes)
            continue;
        free_.erase(at);
        if (begin > at)
            free_[at] = begin - at;
        if (const size_t end = begin + bytes, old_end = at + length; end < old_end)
            free_[end] = old_end - end;
        in_use_[begin] = bytes;
        return address_ + begin;
    }
    return nullptr;
}

// Returns the pages to the system before the piece becomes free, so that no other allocation can
// have it at that time.
HeapRelease SharedHeap::release(void *memory) {
    auto *begin = static_cast<char *>(memory);
    if (!contains(reinterpret_cast<uintptr_t>(memory)))
        return HeapRelease::NotFromHere;
    auto at = static_cast<size_t>(begin - address_);
    size_t bytes;
    {
        LockGuard guard(lock_);
        auto used = in_use_.find(at);
        if (used == in_use_.end())
            return HeapRelease::NotInUse;
        bytes = used->second;
        in_use_.erase(used);
    }
    ::fallocate(fd_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(at),
                static_cast<off_t>(bytes));
    LockGuard guard(lock_);
    auto next = free_.lower_bound(at);
    if (next != free_.end() && next->first == at + bytes) {
        bytes += next->second;
        next = free_.erase(next);
    }
    if (next != free_.begin()) {
        if (auto before = std::prev(next); before->first + before->second == at) {
            before->second += bytes;
            return HeapRelease::Released;
        }
    }
    free_[at] = bytes;
    return HeapRelease::Released;
}

// Opens the other process's memory file through /proc, so that no descriptor needs to be sent.
char *map_heap_of(pid_t pid, int fd, size_t bytes) {
    char path[64];
    std::snprintf(path, sizeof path, "/proc/%d/fd/%d", static_cast<int>(pid), fd);
    const int opened = ::open(path, O_RDWR | O_CLOEXEC);
    if (opened < 0)
        return nullptr;
    void *memory =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, opened, 0);
    ::close(opened);
    if (memory == MAP_FAILED)
        return nullptr;
    ::madvise(memory, bytes, MADV_DONTFORK); // a child is no member of the job
    return static_cast<char *>(memory);
}

} // namespace thrum
