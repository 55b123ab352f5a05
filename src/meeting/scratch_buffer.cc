#include "meeting/scratch_buffer.h"

#include "base/check.h"

#include <bit>
#include <cstdlib>

namespace thrum {

char *ScratchBuffer::at_least(size_t needed_bytes) {
    if (size_bytes < needed_bytes) {
        std::free(bytes);
        size_bytes = std::bit_ceil(needed_bytes < 64 ? size_t{64} : needed_bytes);
        bytes = static_cast<char *>(std::aligned_alloc(64, size_bytes));
        CHECK(bytes != nullptr, "out of memory for %zu bytes of a collective operation",
              size_bytes);
    }
    return bytes;
}

void ScratchBuffer::free() {
    std::free(bytes);
    bytes = nullptr;
    size_bytes = 0;
}

} // namespace thrum
