// Standard-mode sends as if nothing was buffered, for `mpiexec --check`. A send whose message would
// be buffered leaves its copy, but is complete only when the message is received. If ranks can
// never go on, their held sends are released, as if they had been buffered. If such a message is
// received then, the order of these calls is right only because messages are buffered (MPI 5.0
// section 3.5), which is a finding.
//
// The root of a collective operation that would leave before the others have come is held in the
// same way until they have: a program may not rely on whether collective operations synchronize
// (section 6.14).
//
// A line of the program whose send or root was released is not held again. Off for jobs of several
// processes.
#pragma once
#include "fiber/completion.h"
#include "match/unexpected_queue.h"
#include "rank/rank.h"

#include <atomic>
#include <string>
#include <vector>

namespace thrum {

// Written by start_holding_sends(), before ranks run. Hidden: read on the way of a message.
[[gnu::visibility("hidden")]] extern constinit std::atomic<bool> sends_are_held;

inline bool holds_sends() {
    return sends_are_held.load(std::memory_order_relaxed);
}

void start_holding_sends();

// Returns whether the calling rank's standard-mode send of such a message is held.
bool is_to_be_held(const Envelope &envelope);
// Holds the send of a message of the calling rank to `receiver_rank`: completes it when the message
// is received, or the send released. The mailbox is locked.
void hold_send(const UnexpectedMessage &message, int receiver_rank, Completion &completion);
// Returns whether the calling rank is held as a root.
bool is_call_to_be_held();
// Holds the calling rank as the root of its present call: completes `completion` when all members
// have come to the round, or the rank is released.
void hold_root(const void *round, Completion &completion);
// The message is received (its mailbox is locked), or the round complete.
void end_hold(const void *key);

// The functions below are about held sends and roots.
bool some_sends_are_held();

// Release them: all, with a finding whose `lines` describe what the ranks do; those of ranks that
// can never go on; those that are held since `time_ns` (now_ns()), without a finding. Return
// whether there were any.
bool release_held_sends(const std::string &lines);
bool release_held_sends_of(const std::vector<int> &world_ranks);
bool release_sends_held_since(int64_t time_ns);

} // namespace thrum
