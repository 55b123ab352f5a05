// Creates, opens and maps the memfd. Addresses are reserved first, as mmap() aligns to pages only.
#include "rma/window_memory.h"

#include "base/bytes.h"
#include "base/descriptor.h"
#include "mpi.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>

namespace thrum {
namespace {

constexpr size_t page_bytes = 4096;

Error cannot_allocate(size_t size_bytes, const char *what, int error) {
    return fail(MPI_ERR_NO_MEM, "cannot allocate %zu bytes of shared memory for a window: %s: %s",
                size_bytes, what, std::strerror(error));
}

// Reserves address space whose beginning is aligned. Returns nullptr if there is none.
char *reserve(size_t size_bytes, size_t alignment) {
    const size_t spare = alignment > page_bytes ? alignment : 0;
    size_t all;
    if (__builtin_add_overflow(size_bytes, spare, &all))
        return nullptr;
    void *memory =
        ::mmap(nullptr, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return nullptr;
    auto *begin = static_cast<char *>(memory);
    if (!spare)
        return begin;
    auto *aligned =
        reinterpret_cast<char *>(align_up(reinterpret_cast<uintptr_t>(begin), alignment));
    if (aligned > begin)
        ::munmap(begin, static_cast<size_t>(aligned - begin));
    if (aligned + size_bytes < begin + all)
        ::munmap(aligned + size_bytes, static_cast<size_t>(begin + all - aligned) - size_bytes);
    return aligned;
}

} // namespace

WindowMemory::WindowMemory(WindowMemory &&other) noexcept
    : fd_(std::exchange(other.fd_, -1)), address_(std::exchange(other.address_, nullptr)),
      size_bytes_(other.size_bytes_) {}

WindowMemory::~WindowMemory() {
    if (address_)
        ::munmap(address_, size_bytes_);
    close_descriptor();
}

void WindowMemory::close_descriptor() {
    if (fd_ >= 0)
        ::close(std::exchange(fd_, -1));
}

// Checks the limit of file sizes first: beyond it, ftruncate() would send SIGXFSZ, which ends the
// process. move_descriptor_up(): programs expect the lowest descriptors for themselves.
Error WindowMemory::create(size_t size_bytes, size_t alignment) {
    if (size_bytes > SIZE_MAX / 4)
        return cannot_allocate(size_bytes, "ftruncate", EFBIG);
    size_bytes_ = align_up(size_bytes ? size_bytes : 1, page_bytes);
    rlimit limit{};
    if (::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < size_bytes_)
        return cannot_allocate(size_bytes, "the limit of file sizes (ulimit -f)", EFBIG);
    fd_ = move_descriptor_up(::memfd_create("thrum-window", MFD_CLOEXEC));
    if (fd_ < 0)
        return cannot_allocate(size_bytes, "memfd_create", errno);
    if (::ftruncate(fd_, static_cast<off_t>(size_bytes_)) != 0)
        return cannot_allocate(size_bytes, "ftruncate", errno);
    return map(alignment, MPI_ERR_NO_MEM);
}

Error WindowMemory::open(pid_t pid, int fd, size_t size_bytes, size_t alignment) {
    char path[64];
    std::snprintf(path, sizeof path, "/proc/%d/fd/%d", static_cast<int>(pid), fd);
    fd_ = move_descriptor_up(::open(path, O_RDWR | O_CLOEXEC));
    if (fd_ < 0)
        return fail(MPI_ERR_RMA_SHARED, "cannot open shared memory of another process: %s: %s",
                    path, std::strerror(errno));
    size_bytes_ = size_bytes;
    return map(alignment, MPI_ERR_RMA_SHARED);
}

// Maps the descriptor at an aligned address. `error_class`: what a failure is reported as.
Error WindowMemory::map(size_t alignment, int error_class) {
    char *place = reserve(size_bytes_, alignment);
    if (place && ::mmap(place, size_bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd_,
                        0) != MAP_FAILED) {
        address_ = place;
        return success;
    }
    const int error = errno;
    if (place)
        ::munmap(place, size_bytes_);
    return fail(error_class, "cannot map %zu bytes of shared memory for a window: %s", size_bytes_,
                std::strerror(error));
}

} // namespace thrum
