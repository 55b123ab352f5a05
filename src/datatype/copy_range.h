// Copies a part of a typed copy: large messages are copied in pieces, perhaps by several ranks.
#pragma once
#include "datatype/datatype.h"

namespace thrum {

// Memory with `count` elements of `datatype` at `buffer`.
struct TypedMemory {
    const void *buffer; // only read if it is the source
    Count count;
    const Datatype &datatype;
};

// Works like copy_typed(), but only for bytes [offset, offset + size_bytes) of the packed form,
// which both sides must hold.
void copy_typed_range(const TypedMemory &from, const TypedMemory &to, size_t offset,
                      size_t size_bytes);

} // namespace thrum
