// What MPI leaves open about messages, kept in a record or taken from one (record/outcomes.h): the
// sources of receives and probes from MPI_ANY_SOURCE, and what tests and waits find.
#pragma once
#include "pt2pt/request.h"
#include "record/outcomes.h"

namespace thrum {

namespace detail {

void begin_open_receive(ReceiveRequest &request);
void settle_open_receive(ReceiveRequest &request, uint32_t source);

} // namespace detail

// Begins a receive, before it looks for its message. In a replay one from MPI_ANY_SOURCE becomes
// one from the source of the recorded run.
inline void begin_open_receive(ReceiveRequest &request) {
    if (request.envelope.source == MPI_ANY_SOURCE && keeps_outcomes()) [[unlikely]]
        detail::begin_open_receive(request);
}

// Records the source of the message that the receive has just matched.
inline void settle_open_receive(ReceiveRequest &request, int source) {
    if (request.is_open) [[unlikely]]
        detail::settle_open_receive(request, static_cast<uint32_t>(source));
}

// Records that nothing has matched the receive, which is cancelled.
inline void settle_cancelled_receive(ReceiveRequest &request) {
    if (request.is_open) [[unlikely]]
        detail::settle_open_receive(request, cancelled_receive);
}

// Makes the envelope of a receive that is started again what the program has given.
inline void reopen_receive(ReceiveRequest &request) {
    if (request.is_open) [[unlikely]]
        request.envelope.source = MPI_ANY_SOURCE;
}

// Returns the source from which a blocking probe takes its message.
int begin_open_probe(int source);
// Records the source of the message that a blocking probe from `wanted` has found.
void settle_open_probe(int wanted, int found);

} // namespace thrum
