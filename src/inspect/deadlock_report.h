// The text of a deadlock report, as a pure function of what all ranks are doing. Ranks that do the
// same thing share a line. Snapshots come from deadlock.cc, or from several processes
// (merged_snapshot.h).
#pragma once
#include "rank/rank.h"

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace thrum {

// An incomplete operation of a rank. Ranks are those of the communicator unless stated otherwise.
struct PendingOperation {
    enum class Kind : uint8_t { Unknown, Receive, Send, Probe, Collective, Requests, Described };
    Kind kind = Kind::Unknown;
    int own_rank = 0;         // of the rank itself
    bool inter = false;       // `peer` is in the other group of an inter-communicator
    int peer = 0;             // or MPI_ANY_SOURCE
    int peer_world_rank = -1; // -1: unknown or MPI_ANY_SOURCE
    int tag = 0;              // or MPI_ANY_TAG
    int communicator = -1;    // index into Snapshot::communicators; -1: unknown
    int64_t size_bytes = -1;  // of a send; -1: unknown
    std::string text;         // Kind::Described: what follows the function's name
    std::string name;         // other kinds of operations: "MPI_Ibcast"; "": unknown
    std::vector<int> missing; // world ranks that have not joined it, if known
    // Kind::Collective between processes: how many blocking ones the rank has called there.
    int call_number = 0;
};

// What one rank is doing. If it has ended, only `world_rank` and `ended` count.
struct RankState {
    int world_rank = 0;
    bool ended = false;
    const char *function = nullptr; // "MPI_Recv"; nullptr: outside MPI
    const char *place = "";         // "ring.c:23 in exchange"; not owned
    int polls = 0;                  // of so many kinds, in vain, of which this is one; 0: it waits
    PendingOperation operation;
    int request_count = 0;                  // Kind::Requests: number of pending ones
    std::vector<PendingOperation> requests; // the first few of them
};

// A communicator on which some rank waits.
struct CommunicatorState {
    std::string name; // "" if it has none
    // world ranks, by rank; for an inter-communicator those of both groups
    std::vector<int> members;
    uint32_t context = 0; // context id, common to all processes if the communicator spans them
    int size = 0;         // number of valid peer ranks
};

// A message that has arrived at a blocked rank but does not match what it waits for.
struct UnmatchedMessage {
    int receiver = 0; // world rank
    int source = 0;   // world rank
    int tag = 0;
    int communicator = -1; // index into Snapshot::communicators
};

// What all ranks are doing. Not to be copied: RankState::place points into `places`.
struct Snapshot {
    std::vector<RankState> ranks; // by world rank
    std::vector<CommunicatorState> communicators;
    std::vector<UnmatchedMessage> unmatched;
    std::deque<std::string> places; // what RankState::place points to
    bool is_partial = false;        // the job has other processes, whose ranks are not here
    // World ranks. If not empty, only these surely wait: what the others do is not of one moment.
    std::vector<int> stuck;
};

// Returns how far the message is from what its receiver, `rank`, waits for: 1, if only the tag
// differs, to 5, if the rank does not receive at all. Near ones are more likely to be the mistake.
int distance_of(const UnmatchedMessage &message, const RankState &rank);

// Returns the lines without "thrum: ": a headline, then indented lines.
std::vector<std::string> deadlock_lines(const Snapshot &snapshot);

// Ranks that wait for each other, and can never continue while the others run. World ranks.
struct StuckRanks {
    std::vector<int> ranks;
    std::vector<int> polling;     // those of them that poll for it in vain; the others are blocked
    bool some_have_ended = false; // some of them wait for ranks that have ended
};

// Returns the headline about some ranks of a job.
std::string partial_headline(const StuckRanks &stuck, int rank_count);

// Returns the indented lines alone, for ranks that need not be deadlocked. Empty if no rank of the
// job is in an MPI call.
std::vector<std::string> call_lines(const Snapshot &snapshot);

// Returns in one line what the ranks do that have not ended and of which `is_left_out` is false.
std::string where_others_wait(const Snapshot &snapshot, bool (*is_left_out)(const RankState &rank));

} // namespace thrum
