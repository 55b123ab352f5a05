// ScratchBuffer: memory owned by the library that holds data of a collective operation for all
// members.
#pragma once
#include "datatype/datatype.h"

#include <cstddef>

namespace thrum {

// Memory that grows to the largest size requested. Only one task at a time uses it.
struct ScratchBuffer {
    char *bytes = nullptr;
    size_t size_bytes = 0;
    char *at_least(size_t needed_bytes); // does not keep the contents
    void free();
};

// The combined contribution of a leaf's members to a reduction.
struct Partial {
    ScratchBuffer scratch;
    const char *result = nullptr;   // element 0; in `scratch`, or the only member's send buffer
    size_t size_bytes = 0;          // bytes of data in it
    const Datatype *type = nullptr; // that of a member of the leaf
};

} // namespace thrum
