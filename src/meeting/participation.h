// What the members of a collective operation learn from each other (check/causality.h).
#pragma once
#include "comm/communicator.h"

namespace thrum {

struct Participation;

// Returns the part of the calling rank in what its announcement `what` (announcement.h) says. All
// members of the communicator know it as `object` and `number`.
[[gnu::cold]] Participation participation_of(const Communicator &comm, uint64_t what,
                                             const void *object, uint64_t number);

// Tells tools that the calling rank begins a round (round.h) of a collective operation, and notes
// from whom it will learn.
[[gnu::cold]] void record_round(const Communicator &comm, uint64_t number, uint64_t what);
// Notes for the observer which member the others had to wait for: the calling rank has published
// (round.h), or was the last of all to come.
[[gnu::cold]] void record_publication(const Communicator &comm);
[[gnu::cold]] void record_last_arrival(const Communicator &comm);

} // namespace thrum
