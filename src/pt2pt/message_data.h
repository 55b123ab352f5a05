// How the data of a message are copied from the sender's buffer to the receiver's, in one pass.
#pragma once
#include "datatype/datatype.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace thrum {

// The data of a message at the sender: `count` elements of `datatype`, or their packed bytes.
// Refers to the buffer and copies nothing.
struct SourceData {
    const void *buffer;
    Count count;
    const Datatype *datatype; // may be nullptr if packed
    size_t size_bytes;
    bool packed = false;

    bool dense() const { return packed || datatype->contiguous; }
};

// Does memcpy() for messages, most of which are small: the copy of one word is inlined, at the
// price of a compare.
inline void copy_payload(void *to, const void *from, size_t size_bytes) {
    if (size_bytes == sizeof(uint64_t))
        std::memcpy(to, from, sizeof(uint64_t));
    else
        std::memcpy(to, from, size_bytes);
}

// Copies the first `bytes` bytes of the data to `buffer`, where `count` elements of `datatype` have
// room for them.
inline void transfer_bytes(const SourceData &source, size_t bytes, void *buffer, Count count,
                           const Datatype &datatype) {
    if (bytes == 0)
        return;
    if (source.dense() && datatype.contiguous)
        copy_payload(buffer, source.buffer, bytes);
    else if (source.dense())
        unpack_bytes(source.buffer, 0, bytes, buffer, count, datatype);
    else if (datatype.contiguous)
        pack_bytes(source.buffer, source.count, *source.datatype, 0, bytes, buffer);
    else
        copy_typed(source.buffer, source.count, *source.datatype, buffer, count, datatype);
}

// Copies the data to `buffer`, or as much of them as `count` elements of `datatype` can take.
inline void transfer(const SourceData &source, void *buffer, Count count,
                     const Datatype &datatype) {
    transfer_bytes(source, std::min(source.size_bytes, data_bytes(count, datatype)), buffer, count,
                   datatype);
}

// Copies the data to `packed`, which has room for all of them.
inline void pack_all(const SourceData &source, void *packed) {
    if (source.size_bytes == 0)
        return;
    if (source.dense())
        std::memcpy(packed, source.buffer, source.size_bytes);
    else
        pack_bytes(source.buffer, source.count, *source.datatype, 0, source.size_bytes, packed);
}

} // namespace thrum
