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

#include <string>

namespace thrum {

// A member's call of a non-blocking operation, or of a persistent one's initialisation.
struct OrderedCall {
    uint64_t said;          // its announcement, signed
    uint64_t rounds_before; // that the member had attended
    CallPlace place;
};

// One of two members that have called blocking operations in another order.
struct OrderedMember {
    int member;
    CallPlace place; // of the call of the non-blocking operation; its site may be unknown
};

// Two members that disagree on the order of calls.
struct OrderDispute {
    OrderedMember early, late; // `late` has called more blocking operations before
    const char *name;          // of the operation
    const char *before;        // of the last blocking operation that `late` has called before it
};

// Warns and returns success, or returns MPI_ERR_OTHER. `reporter`: the name of the function that a
// warning begins with.
[[gnu::cold, gnu::noinline]] Error
judge_order(const Communicator &comm, const OrderDispute &dispute, const std::string &reporter);

// Compares the call of another member with the caller's, which has announced `said` and attended
// another number of rounds. Does what judge_order() does.
[[gnu::cold, gnu::noinline]] Error compare_order(const Communicator &comm, const OrderedCall &other,
                                                 uint64_t said);

} // namespace thrum
