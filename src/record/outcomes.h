// The outcomes of the calls in which MPI leaves something open, recorded (mpiexec --record) or
// replayed (--replay): from which source a wildcard receive or probe takes its message, whether a
// test finds something, which requests MPI_Waitany and MPI_Waitsome return.
//
// A run of mpiexec --explore does both: it replays a record that is cut where the runs part, and
// records itself.
//
// Each thread of a rank has its own sequence. So it does not matter which processes and workers run
// the ranks. A replay that follows all sequences matches every message as the recorded run did.
//
// Invariants
// 1. A thread appends to and reads only its own sequence. A sender writes the source into the word
//    of the receive that it matches.
// 2. The outcome of a non-blocking receive has its place when the receive is posted.
#pragma once
#include "record/outcome.h"

#include <string>

namespace thrum {

enum class OutcomeMode : uint8_t { Free, Recorded, Replayed, Explored };

// Written by begin_outcomes(). Hidden: tests and receives read it without a detour.
[[gnu::visibility("hidden")]] extern constinit OutcomeMode outcome_mode;

inline bool keeps_outcomes() {
    return outcome_mode != OutcomeMode::Free;
}

inline bool records_outcomes() {
    return outcome_mode == OutcomeMode::Recorded || outcome_mode == OutcomeMode::Explored;
}

inline bool replays_outcomes() {
    return outcome_mode == OutcomeMode::Replayed || outcome_mode == OutcomeMode::Explored;
}

// Begins what the settings `record`, `replay` and `explored` ask for, at the first call in this
// process that initialises MPI. Ends the process if the directory cannot be used.
void begin_outcomes();
// Ends the sequence of the calling rank, in MPI_Finalize. A replay then has used all of it.
void end_outcomes();

// Ends the job because the calling rank cannot use the outcome that it has got: the record has ...
[[gnu::cold, gnu::format(printf, 1, 2)]] void depart_from_record(const char *format, ...);

// Sets the function that ends the job because the calling rank does something else than the record
// says; `sentence` tells what.
using DepartureFunction = void(const std::string &sentence);
void set_departure_function(DepartureFunction *function);

// Appends an outcome. Returns the number of its word; 0: the rank is not recorded.
uint32_t record_outcome(OutcomeKind kind, int value);
// Returns how many words the sequence of the calling thread has.
uint32_t recorded_words();
// Records what a call has found that does not wait: `value`, or nothing.
void record_find(OutcomeKind kind, bool has_found, int value);
// Writes the source of the message into the word of its receive.
void settle_receive(uint32_t word, uint32_t source);

// Returns the next outcome of the calling thread: one of `kind`, or Missed if `may_miss`. Returns
// None if the record has ended early; from then on the thread is free. Anything else is a departure
// and ends the job. A run that records, too, has then recorded what tests and waits have found; the
// caller records the sources of receives and probes, which it may still wait for.
Outcome replay_outcome(OutcomeKind kind, bool may_miss = false);

} // namespace thrum
