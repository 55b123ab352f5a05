// external32 (MPI 5.0 section 14.5.2): big-endian data with sizes that are the same on every
// machine.
#pragma once
#include "datatype/datatype.h"

namespace thrum {

// Returns the bytes of `count` elements in external32.
Count external_bytes(const Datatype &datatype, Count count);
// Convert `count` elements. `packed` has external_bytes() bytes.
void pack_external(const void *buffer, Count count, const Datatype &datatype, void *packed);
void unpack_external(const void *packed, void *buffer, Count count, const Datatype &datatype);
// Reads as many basic elements as `packed_bytes` bytes hold. Returns the bytes that they occupy in
// memory.
Count unpack_external_part(const void *packed, Count packed_bytes, void *buffer, Count count,
                           const Datatype &datatype);

} // namespace thrum
