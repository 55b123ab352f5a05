// Memory of the library's own in which data of a collective operation are kept for all members.
#pragma once
#include <cstddef>

namespace thrum {

// Memory that grows to the largest size asked of it. Used by one task at a time.
struct ScratchBuffer {
    char *bytes = nullptr;
    size_t size_bytes = 0;
    char *at_least(size_t needed_bytes); // keeps nothing
    void free();
};

// What the members of a leaf contribute together to a reduction.
struct Partial {
    ScratchBuffer scratch;
    const char *result = nullptr; // element 0; in `scratch`, or the only member's send buffer
    size_t size_bytes = 0;        // of data in it
};

} // namespace thrum
