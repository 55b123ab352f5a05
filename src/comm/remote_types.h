// What data from another process say of their types. Their datatype is there, and not here.
#pragma once
#include "datatype/signature.h"

#include <string>

namespace thrum {

struct RemoteTypes {
    static constexpr uint8_t unknown = 0;   // not compared
    static constexpr uint8_t several = 255; // `hash` tells
    uint8_t number = unknown;               // else of a basic datatype (datatype/signature.h)
    uint64_t hash = 0;                      // of the sequence of all the data
};

// Returns what is to be said of data that are sent. Types that match everything under the rules of
// this job are not told.
RemoteTypes remote_types(TypedBytes data);

// Returns whether `bytes` bytes of such types match `room`, in which they fit.
bool remote_types_match(const RemoteTypes &types, size_t bytes, TypedBytes room);

// Describes both sides if they do not match: "SENDER has 1 MPI_FLOAT, but RECEIVER expects
// MPI_INT".
[[gnu::cold]] std::string remote_mismatch_text(const std::string &sender, const RemoteTypes &types,
                                               size_t bytes, const std::string &receiver,
                                               TypedBytes room);

} // namespace thrum
