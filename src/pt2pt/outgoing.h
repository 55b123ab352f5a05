// A message on its way out.
#pragma once
#include "pt2pt/message_data.h"
#include "pt2pt/request.h"

namespace thrum {

struct Outgoing {
    Envelope envelope;
    SourceData data;
};

// Whether the library may keep a copy of the message, so that the send is complete at once.
enum class Buffering : uint8_t { No, BetweenNodes, Yes };

// What is in the buffer of a request that sends.
inline Outgoing outgoing_of(const SendRequest &request) {
    return {request.message.envelope,
            {request.buffer, request.count, request.datatype, request.size_bytes}};
}

} // namespace thrum
