// Copies blocks that may be empty. An empty block may have no address, and memcpy() forbids null
// pointers even for zero bytes.
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

// Returns the next multiple of `to`.
inline constexpr size_t align_up(size_t bytes, size_t to) {
    return (bytes + to - 1) / to * to;
}

} // namespace thrum
