// Finds the pages of .bss that something has written before the template is taken: a COPY
// relocation, an ifunc's resolver. The kernel is asked which pages exist, since reading the others
// would create them.
#pragma once
#include "image/object.h"

namespace thrum {

// Returns whether all bytes of the page are 0.
bool is_zero_page(uintptr_t page);
// Returns which of the pages from `begin` (at most 4,096) exist: bit 0 of each byte. Reports all as
// existing if the kernel does not say. The result is overwritten by the next call.
const unsigned char *resident_pages(uintptr_t begin, size_t size_bytes);

// Calls visit(page) for each page of [begin, end) that is not zero.
template <class Visit>
void for_each_touched_page(uintptr_t begin, uintptr_t end, Visit visit) {
    constexpr size_t chunk_bytes = 4096 * page_bytes;
    for (uintptr_t chunk = begin; chunk < end; chunk += chunk_bytes) {
        uintptr_t chunk_end = chunk + chunk_bytes < end ? chunk + chunk_bytes : end;
        const unsigned char *resident = resident_pages(chunk, chunk_end - chunk);
        for (uintptr_t page = chunk; page < chunk_end; page += page_bytes)
            if ((resident[(page - chunk) / page_bytes] & 1) && !is_zero_page(page))
                visit(page);
    }
}

} // namespace thrum
