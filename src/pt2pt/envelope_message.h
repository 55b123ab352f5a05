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

// Where the sender of a packet is in its program: what the receiver names if the two differ.
struct PacketOrigin {
    uint64_t call : 56 = 0; // code of the call of the sender's first member (comm/call_names.h)
    // How many blocking operations it had called before a non-blocking one, and which the last was
    // (Collective of meeting/collective.h).
    uint64_t last_blocking : 8 = 0;
    uint32_t blocking_before = 0;
    uint32_t function = 0; // which it calls (thrum::Function); 0: unknown
};

// What a packet of a collective operation says about it; the receiver compares.
struct PacketLabel {
    uint32_t said = 0; // the operation in which the sender takes part
    RemoteTypes types; // of the data
    PacketOrigin origin;
};

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
    PacketOrigin origin; // packets only
};

static_assert(sizeof(EnvelopeHeader) <= header_bytes_max);
// Of a message that is no packet.
constexpr size_t message_header_bytes = offsetof(EnvelopeHeader, origin);
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
    PacketOrigin origin; // of a packet
};

// Returns memory from malloc, even for 0 bytes. Aborts if there is none.
void *allocate_for_message(size_t size_bytes);

} // namespace thrum
