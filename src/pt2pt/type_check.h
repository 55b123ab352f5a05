// Comparison of the types of a message with those of its receive (MPI 5.0 section 3.3.1). The
// thread that matches the two compares; the receiver reports, in the call that completes the
// receive.
//
// Between the two, a difference is a TypeDifference whose address is in the request's size, marked
// by a bit that no size has. So a right receive pays nothing for it: the mark is found where a size
// is compared with the room.
#pragma once
#include "comm/type_mismatch.h"
#include "pt2pt/envelope_message.h"
#include "pt2pt/lost.h"
#include "pt2pt/outgoing.h"

namespace thrum {

// Returns whether the size of a complete receive is the mark of a TypeDifference.
inline bool marks_difference(size_t size_bytes) {
    return size_bytes >> 63 && size_bytes != lost_message_bytes;
}

// Returns whether the types surely match, and the message fits.
inline bool surely_accepts(const ReceiveRequest &receive, const Datatype *sent, size_t size_bytes) {
    return (!sent || types_surely_match(*sent, *receive.datatype)) &&
           size_bytes <= data_bytes(receive.count, *receive.datatype);
}

// Returns how many of the message's bytes fit in.
inline size_t fitting_bytes(const ReceiveRequest &receive, size_t size_bytes) {
    return std::min(size_bytes, data_bytes(receive.count, *receive.datatype));
}

// A message as far as its types are concerned.
struct SentMessage {
    const Envelope &envelope;
    const Datatype *type; // nullptr: not compared
    size_t size_bytes;
    CallPlace sender; // {}: unknown
};

// Compares in detail. Returns what to store as the size of the receive: the message's size, or a
// mark.
[[gnu::cold, gnu::noinline]] size_t compared_size(const ReceiveRequest &receive,
                                                  const SentMessage &message);

// Handles a mark: gives the receive its true size, and warns or returns MPI_ERR_TYPE. `sender`
// becomes " (sent by ...)", for the error about a message that is too long.
Error take_difference(Request &receive, std::string &sender);

// Warns if the message of a freed receive, which no call completes, is not what `receiver` expects:
// has other types, or is too long.
void judge_freed(Request &request, const CallPlace &receiver);

// Does what compared_size() does for a message from another process.
size_t compared_remote_size(const ReceiveRequest &receive, const Envelope &envelope,
                            const RemoteTypes &types, size_t size_bytes);

} // namespace thrum
