// Packet: what a transport sends in one piece: a whole short message, or a piece of a longer one.
#pragma once
#include "fabric/packet/message.h"

#include <algorithm>
#include <cstring>
#include <sys/uio.h>

namespace thrum {

// A sequence of bytes that is in several places.
struct Scattered {
    const iovec *parts = nullptr;
    int count = 0;
    size_t skip = 0; // bytes of the parts already consumed
    size_t bytes = 0;

    // Copies all bytes to contiguous memory.
    void copy_to(void *into) const {
        auto *out = static_cast<char *>(into);
        size_t before = skip, left = bytes;
        for (const iovec *part = parts; left > 0; ++part) {
            if (before >= part->iov_len) {
                before -= part->iov_len;
                continue;
            }
            size_t n = std::min(left, part->iov_len - before);
            std::memcpy(out, static_cast<const char *>(part->iov_base) + before, n);
            out += n;
            left -= n;
            before = 0;
        }
    }
};

inline size_t bytes_of(const iovec *parts, int count) {
    size_t sum = 0;
    for (int i = 0; i < count; ++i)
        sum += parts[i].iov_len;
    return sum;
}

// The head of a packet. The `first` packet of a message has its header, the `last` one ends it.
struct PacketHead {
    MessageKind kind{};
    bool first = true;
    bool last = true;
    uint8_t header_bytes = 0;
    uint32_t payload_bytes = 0;
};

struct Packet {
    PacketHead head;
    const void *header;
    Scattered payload; // head.payload_bytes bytes
};

} // namespace thrum
