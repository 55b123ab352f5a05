// Comparison of the order in which members call blocking and non-blocking collective operations of
// a communicator. MPI 5.0 section 6.12: all processes must call both in the same order. Blocking
// operations match by rounds and the others by numbers of their own, so a difference harms nobody
// here: it is a warning, and an error with `mpiexec --check`.
//
// All members attend the same rounds in a blocking operation, also if it fails at some of them. So
// members that begin the n-th non-blocking operation after different numbers of rounds have called
// different numbers of blocking operations before it.
#pragma once
#include "meeting/meeting.h"
#include "rank/rank.h"

namespace thrum {

// A member's call of a non-blocking operation, or of a persistent one's initialisation.
struct OrderedCall {
    uint64_t said;          // its announcement, signed
    uint64_t rounds_before; // that the member had attended
    CallPlace place;
};

// Compares the call of another member with the caller's, which has announced `said` and attended
// another number of rounds. Warns and returns success, or returns MPI_ERR_OTHER.
[[gnu::cold, gnu::noinline]] Error compare_order(const Communicator &comm, const OrderedCall &other,
                                                 uint64_t said);

} // namespace thrum
