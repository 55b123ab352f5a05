// A message on its way out.
#pragma once
#include "pt2pt/message_data.h"
#include "pt2pt/request.h"

namespace thrum {

// The envelope and the data of a message that is being sent. Refers to the user's buffer.
struct Outgoing {
    Envelope envelope;
    SourceData data;
    SendMode mode = SendMode::Standard;
};

// Where the library may keep a copy of the message, so that the send is complete at once.
// BetweenNodes: only at a receiver on another node.
enum class Buffering : uint8_t { No, BetweenNodes, Yes };

// Returns what a request sends.
inline Outgoing outgoing_of(const SendRequest &request) {
    return {request.message.envelope,
            {request.buffer, request.count, request.datatype, request.size_bytes, request.packed},
            request.mode};
}

} // namespace thrum
