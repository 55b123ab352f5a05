#include "image/touched_pages.h"

#include <cstring>
#include <sys/mman.h>

namespace thrum {

// Not instrumented: the originals' variables may be between AddressSanitizer's fences.
[[gnu::no_sanitize_address]] bool is_zero_page(uintptr_t page) {
    auto *words = reinterpret_cast<const uint64_t *>(page);
    for (size_t i = 0; i < page_bytes / sizeof *words; ++i)
        if (words[i] != 0)
            return false;
    return true;
}

const unsigned char *resident_pages(uintptr_t begin, size_t size_bytes) {
    static unsigned char resident[4096];
    if (::mincore(reinterpret_cast<void *>(begin), size_bytes, resident) != 0)
        std::memset(resident, 1, sizeof resident);
    return resident;
}

} // namespace thrum
