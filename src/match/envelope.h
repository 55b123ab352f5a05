// Envelope: what messages are matched by (MPI 5.0 section 3.2.3): communicator (as context id),
// source and tag. A receive's envelope may contain wildcards.
#pragma once
#include "mpi.h"

#include <cstdint>

namespace thrum {

struct Envelope {
    uint32_t context = 0; // context id; never a wildcard
    int source = 0;       // rank in the communicator, or MPI_ANY_SOURCE in a receive
    int tag = 0;          // or MPI_ANY_TAG in a receive

    // Returns whether a receive with this envelope matches a message with envelope `message`.
    bool accepts(const Envelope &message) const {
        return context == message.context &&
               (source == message.source || source == MPI_ANY_SOURCE) &&
               (tag == message.tag || tag == MPI_ANY_TAG);
    }

    bool operator==(const Envelope &) const = default;
};

// The wildcard class of a receive: which fields of its envelope are wildcards. A message can match
// receives of all four classes: (source, tag), (*, tag), (source, *) and (*, *).
inline constexpr unsigned wildcard_any_source = 1;
inline constexpr unsigned wildcard_any_tag = 2;
inline constexpr unsigned wildcard_classes = 4;

inline unsigned wildcard_class(const Envelope &receive) {
    return (receive.source == MPI_ANY_SOURCE ? wildcard_any_source : 0) |
           (receive.tag == MPI_ANY_TAG ? wildcard_any_tag : 0);
}

// Returns the envelope of class `wildcards` that matches `message`; there is exactly one.
inline Envelope generalized(Envelope message, unsigned wildcards) {
    if (wildcards & wildcard_any_source)
        message.source = MPI_ANY_SOURCE;
    if (wildcards & wildcard_any_tag)
        message.tag = MPI_ANY_TAG;
    return message;
}

} // namespace thrum
