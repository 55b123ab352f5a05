// The text of a deadlock report, as a pure function of what all ranks are doing: ranks that do the
// same thing are told in one line.
#pragma once
#include "rank/rank.h"

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace thrum {

// An operation that has not completed. Ranks are those of the communicator unless said otherwise.
struct PendingOperation {
    enum class Kind : uint8_t { Unknown, Receive, Send, Probe, Collective, Requests, Described };
    Kind kind = Kind::Unknown;
    int own_rank = 0;
    bool inter = false;       // `peer` is of the other group of an inter-communicator
    int peer = 0;             // or MPI_ANY_SOURCE
    int peer_world_rank = -1; // -1: unknown or MPI_ANY_SOURCE
    int tag = 0;              // or MPI_ANY_TAG
    int communicator = -1;    // index into Snapshot::communicators; -1: unknown
    int64_t size_bytes = -1;  // of a send; -1: unknown
    std::string text;         // Kind::Described: what follows the function's name
    std::string name;         // of an operation of another kind: "MPI_Ibcast"; "": unknown
    std::vector<int> missing; // world ranks that have not come to it
};

struct RankState {
    int world_rank = 0;
    bool ended = false;
    const char *function = nullptr; // "MPI_Recv"; nullptr: outside MPI
    const char *place = "";         // "ring.c:23 in exchange"; not owned
    PendingOperation operation;
    int request_count = 0;                  // Kind::Requests: how many are pending
    std::vector<PendingOperation> requests; // of them the first few
};

struct CommunicatorState {
    std::string name;         // "" if it has none
    std::vector<int> members; // world ranks, by rank; of an inter-communicator both groups'
    uint32_t context = 0;     // its id, which several processes know if it spans them
    int size = 0;             // ranks that a peer may be
};

// A message that has arrived at a blocked receiver but is not what it waits for.
struct UnmatchedMessage {
    int receiver = 0; // world ranks
    int source = 0;
    int tag = 0;
    int communicator = -1;
};

struct Snapshot {
    std::vector<RankState> ranks; // by world rank
    std::vector<CommunicatorState> communicators;
    std::vector<UnmatchedMessage> unmatched;
    std::deque<std::string> places; // what RankState::place points to
};

// Lines without "thrum: ": a headline, then indented lines.
std::vector<std::string> deadlock_lines(const Snapshot &snapshot);

// "rank 3", "ranks 0-3,7": sorts its argument.
std::string rank_list(std::vector<int> ranks);

} // namespace thrum
