// An envelope between node processes, as it travels and as it waits for its receive.
#pragma once
#include "fabric/fabric.h"
#include "match/envelope.h"

#include <cstddef>
#include <cstdint>

namespace thrum {

constexpr int packet_mailbox_number = -1; // as a destination: the process itself

// What travels before the data. Of an eager message that needs no answer only the start travels, up
// to `dest`: with up to 32 bytes of data it takes one cache line of a ring.
struct EnvelopeHeader {
    Envelope envelope;
    int dest; // world rank
    uint64_t size_bytes;
    uint64_t sender; // RemoteSend that waits for an answer; 0: nobody does
    uint32_t serial;
    uint32_t data_came_along;
    RemoteMemory memory;
};

static_assert(sizeof(EnvelopeHeader) <= header_bytes_max);
constexpr size_t short_header_bytes = offsetof(EnvelopeHeader, size_bytes);
static_assert(short_header_bytes == 16);

EnvelopeHeader header_of(const Arrival &arrival);

// A message from another process that waits in the unexpected queue for its receive: what
// UnexpectedMessage::data points at in Form::Remote.
struct RemoteArrival {
    NodeProcess source;
    uint32_t serial;     // of the sender's part
    uint64_t sender;     // the sender's part, which waits for an answer; 0: nobody does
    RemoteMemory memory; // where the data are, if not here
    void *data;          // from malloc; nullptr: not here
    size_t size_bytes;
};

// Memory from malloc, also for 0 bytes.
void *allocate_for_message(size_t size_bytes);

} // namespace thrum
