// Causality: what each rank of the job can know about the others, as vector clocks. A rank learns
// what another one knew by receiving its message, and in collective operations. From this follows
// which other messages a wildcard receive could have taken (arrival_log.h).
//
//   send        the message gets a snapshot of what its sender knows
//   receive     the receiver learns that in the call that completes the receive. A receive from
//               MPI_ANY_SOURCE, or a probe, also counts one event of its rank: what the clocks
//               count
//   MPI_Ssend   its sender learns what the receiver knew when the message was matched
//   collective  members learn by its meaning: from the root, at the root, from lower ranks, or
//               everybody from everybody
//
// Off unless track_causality() was called, for jobs of one process and up to causality_ranks_max
// ranks. It is given up (lose_causality) when ranks use a way to talk that is not followed:
// windows, partitioned communication, ACLMPL, supersteps, ports, added ranks. What ranks tell each
// other outside MPI, for example in files, is not known.
//
// Clocks err in one direction only: a rank may be taken to know more than it does. Then an
// alternative is missed, but none is invented.
#pragma once
#include "check/arrival_log.h"
#include "check/causality_limit.h"
#include "match/mailbox.h"

#include <atomic>

namespace thrum {

// Written by track_causality() and lose_causality(). Hidden: read on the message path.
[[gnu::visibility("hidden")]] extern constinit std::atomic<bool> follows_causality;

inline bool tracks_causality() {
    return follows_causality.load(std::memory_order_relaxed);
}

// How much of the past is kept: the last messages of each rank, or all of them.
// If everything is remembered, ranks are recorded (record/outcomes.h), and a send that waits for
// its receive counts as a synchronous one: what could happen depends on it, too.
enum class Remember : uint8_t { Recent, Everything };

// Begins to track the ranks [0, count) of the job. Called before ranks run.
void track_causality(int count, Remember remember);
// Gives up, for the rest of the job. Any thread.
[[gnu::cold]] void lose_causality();

// The functions below are called only while tracks_causality().

// A message that is being sent by the calling rank.
struct Departure {
    Envelope envelope;
    size_t size_bytes;
    const Datatype *type; // nullptr: unknown
    bool synchronous;
    bool waits; // for its receive, although it need not: it is too long to be buffered
};

// A receive that gets a message.
struct Acceptance {
    const void *request; // identifies it until it is complete
    Envelope envelope;
    size_t room_bytes;
    const Datatype *type; // nullptr: unknown
    uint64_t posted;      // PostedReceive::sequence; 0: it found the message at once
};

// The calling rank posts a wildcard receive, and has just appended its word to the record
// (record/outcomes.h).
void note_posted(const void *request);
// The calling rank has put its message into the unexpected queue. The mailbox is locked.
void note_queued(const UnexpectedMessage &message, const Departure &departure, Mailbox &receiver);
// The calling rank has withdrawn it.
void note_withdrawn(const UnexpectedMessage &message, Mailbox &receiver);
// The message is now in another node of the queue.
void note_moved(const UnexpectedMessage &from, const UnexpectedMessage &to, Mailbox &receiver);
// The calling rank receives a message of its queue. The mailbox is locked.
void note_taken(const UnexpectedMessage &message, const Acceptance &acceptance, Mailbox &mailbox);
// The calling rank has matched its message with a posted receive.
void note_delivered(const Departure &departure, const Acceptance &acceptance, Mailbox &receiver);
// A probe of the calling rank has found the message, and `takes` it out of the queue. The mailbox
// is locked.
void note_probed(const UnexpectedMessage &message, const Envelope &probe, bool takes,
                 Mailbox &mailbox);
// The calling rank sees that its receive, made at `place`, is complete.
void note_received(const void *request, const CallPlace &place);
// The calling rank sees that its synchronous send, with this message, is complete.
void note_matched(const UnexpectedMessage &message);

// Who learns from whom in a collective operation.
enum class Spread : uint8_t { Everybody, FromRoot, ToRoot, FromLower };

// The calling rank takes part in an operation, or in a round of one, which all members identify by
// the same `object` and `number`.
struct Participation {
    const void *object;
    uint64_t number;
    int members;
    int member; // the caller's number
    Spread spread;
    int root; // its number
};

// The calling thread takes part until the end of its MPI call, or until its next participation.
void note_round(const Participation &participation);
// A thread leaves its MPI call.
void note_call_end(const RankThread &thread);
// The calling rank takes part until `request` is complete.
void note_begun(const Participation &participation, const void *request);
// The calling rank sees that the request is complete.
void note_completed(const void *request);

// A wildcard receive or probe of the job, with what it got and could have got.
struct WildcardOutcome {
    int rank = 0; // of the receiver
    WildcardReceive receive;
    LoggedMessage message;
    std::vector<LoggedMessage> alternatives;
};

// Returns the outcomes of which the messages are remembered, by rank, in the order of the receives'
// matches. Returns none if causality is not tracked any more.
std::vector<WildcardOutcome> wildcard_outcomes();

// A wildcard receive or probe with all that decides about it: for mpiexec --explore. Only if
// everything is remembered.
struct OpenChoice {
    // A message that it has got or could have got.
    struct Match {
        int source = 0;                       // in the communicator
        KnowledgeSnapshot known;              // to the sender
        std::vector<uint32_t> matched_before; // words (ArrivalLog::matched_before())
    };

    int rank = 0;                  // of the receiver
    uint32_t word = 0, number = 0; // as in WildcardReceive
    KnowledgeSnapshot posted;
    Match taken;
    std::vector<Match> others;
};

// Returns them by rank. There may be none because causality has been lost.
std::vector<OpenChoice> open_choices();

// Returns whether the rank of `later` knew of the outcome `earlier` when it had its own.
bool happens_before(const WildcardOutcome &earlier, const WildcardOutcome &later);

// Sets the function that judges outcomes before they are forgotten. It must not wait.
using JudgeOutcome = void(const WildcardOutcome &outcome);
void set_judge_of_outcomes(JudgeOutcome *judge);

} // namespace thrum
