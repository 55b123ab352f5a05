#include "pt2pt/envelope_message.h"

#include "base/check.h"

#include <cstdlib>
#include <cstring>

namespace thrum {

EnvelopeHeader header_of(const Arrival &arrival) {
    // A short header: all other fields follow from the payload.
    EnvelopeHeader header;
    if (arrival.header_bytes == short_header_bytes) {
        std::memcpy(static_cast<void *>(&header), arrival.header, short_header_bytes);
        header.size_bytes = arrival.payload_bytes;
        header.sender = 0;
        header.serial = 0;
        header.data_came_along = 1;
        header.memory = {};
        header.types_hash = 0;
        return header;
    }
    CHECK(arrival.header_bytes == message_header_bytes || arrival.header_bytes == sizeof header);
    std::memcpy(static_cast<void *>(&header), arrival.header, arrival.header_bytes);
    return header;
}

void *allocate_for_message(size_t size_bytes) {
    void *memory = std::malloc(size_bytes ? size_bytes : 1);
    CHECK(memory, "out of memory for %zu bytes of a message from another process", size_bytes);
    return memory;
}

} // namespace thrum
