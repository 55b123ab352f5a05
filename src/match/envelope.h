// Envelope: what a message is matched by (MPI 5.0 section 3.2.3): communicator (as context id),
// source and tag. A receive's envelope may hold wildcards.
#pragma once
#include "mpi.h"

#include <cstdint>

namespace thrum {

struct Envelope {
    uint32_t context = 0; // context id; never a wildcard
    int source = 0;       // rank in the communicator, or MPI_ANY_SOURCE in a receive
    int tag = 0;          // or MPI_ANY_TAG in a receive

    // Whether a receive with this envelope takes a message with envelope `message`.
    bool accepts(const Envelope &message) const {
        return context == message.context &&
               (source == message.source || source == MPI_ANY_SOURCE) &&
               (tag == message.tag || tag == MPI_ANY_TAG);
    }
};

} // namespace thrum
