// WindowMemory: memory of a window that several processes of a node have mapped (MPI 5.0 sections
// 12.2.2 and 12.2.3). It is a memfd: it has no name or file, and disappears with the last process
// that has mapped it, however that process ends. Other processes open it as /proc/PID/fd/N.
#pragma once
#include "base/error.h"

#include <cstddef>
#include <string>
#include <sys/types.h>

namespace thrum {

class WindowMemory {
public:
    WindowMemory() = default;
    WindowMemory(WindowMemory &&other) noexcept;
    WindowMemory &operator=(WindowMemory &&) = delete;
    ~WindowMemory();

    // Makes and maps new memory; `alignment` is a power of two. Returns MPI_ERR_NO_MEM with the
    // cause if it fails.
    Error create(size_t size_bytes, size_t alignment);
    // Maps the memory of process `pid`, which must not have closed its descriptor. Returns
    // MPI_ERR_RMA_SHARED with the cause if it fails.
    Error open(pid_t pid, int fd, size_t size_bytes, size_t alignment);
    // Closes the descriptor; the mapping stays. Must be called after all processes have opened it.
    void close_descriptor();

    char *address() const { return address_; }

    size_t size_bytes() const { return size_bytes_; }

    int fd() const { return fd_; }

private:
    Error map(size_t alignment, int error_class);
    int fd_ = -1;
    char *address_ = nullptr;
    size_t size_bytes_ = 0;
};

} // namespace thrum
