#include "inspect/own_memory.h"

#include <sys/uio.h>
#include <unistd.h>

namespace thrum {

bool copy_own_memory(const void *from, size_t size_bytes, void *to) {
    const iovec local{to, size_bytes};
    const iovec remote{const_cast<void *>(from), size_bytes};
    return ::process_vm_readv(::getpid(), &local, 1, &remote, 1, 0) ==
           static_cast<ssize_t>(size_bytes);
}

} // namespace thrum
