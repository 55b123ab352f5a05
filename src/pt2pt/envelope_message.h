// An envelope between node processes, in the form in which it travels, and in the form in which it
// waits for its receive.
#pragma once
#include "comm/remote_types.h"
#include "fabric/fabric.h"
#include "match/envelope.h"

#include <cstddef>
#include <cstdint>

namespace thrum {

constexpr int packet_mailbox_number = -1; // as `dest`: the packet goes to the process itself

// The header of an envelope message. An eager message that needs no answer has only the first
// fields, up to `types`, unless its types need the hash: with up to 32 bytes of data it takes one
// cache line of a ring.
struct EnvelopeHeader {
    Envelope envelope;
    int dest : 24;      // world rank
    unsigned types : 8; // number of RemoteTypes
    uint64_t size_bytes;
    uint64_t sender; // RemoteSend that waits for an answer; 0: none
    uint32_t serial; // number of the send; packets: what the sender takes the operation for
    uint32_t data_came_along;
    RemoteMemory memory; // where the data are, if they did not come along
    uint64_t types_hash; // hash of RemoteTypes
};

static_assert(sizeof(EnvelopeHeader) <= header_bytes_max);
constexpr size_t short_header_bytes = offsetof(EnvelopeHeader, size_bytes);
static_assert(short_header_bytes == 16);

// Returns the header of an arrived envelope, completed if it has the short form.
EnvelopeHeader header_of(const Arrival &arrival);

// A message from another process that waits in the unexpected queue for its receive:
// UnexpectedMessage::data points to it in Form::Remote. Freed by the code that takes the message
// out of the queue.
struct RemoteArrival {
    NodeProcess source;
    uint32_t serial;     // as in EnvelopeHeader
    uint64_t sender;     // the sender's part, which waits for an answer; 0: none
    RemoteMemory memory; // where the data are, if not here
    void *data;          // from malloc, owned; nullptr: still at the sender
    size_t size_bytes;
    RemoteTypes types;
};

// Returns memory from malloc, even for 0 bytes. Aborts if there is none.
void *allocate_for_message(size_t size_bytes);

} // namespace thrum
