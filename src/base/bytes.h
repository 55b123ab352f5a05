// Copies of blocks that may be empty, and then have no address: memcpy() forbids null pointers.
#pragma once
#include <cstddef>
#include <cstring>

namespace thrum {

inline void copy_bytes(void *to, const void *from, size_t bytes) {
    if (bytes > 0)
        std::memcpy(to, from, bytes);
}

inline void move_bytes(void *to, const void *from, size_t bytes) {
    if (bytes > 0)
        std::memmove(to, from, bytes);
}

} // namespace thrum
