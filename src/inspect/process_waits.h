// What the ranks of one process wait for, in terms that mean the same in all processes of the job:
// world ranks, context ids, envelopes. Readings of several processes are merged into one wait graph
// (wait_graph.h). Pure data: wait_reader.h reads it, partial_watch.h decides with it.
//
// A rank that waits for one of another process may be free although that one is not: what it waits
// for may be on its way. Three rules decide; partial_watch.h has the proof.
//   receive, probe   counts only while it is posted, and once all that its senders' processes had
//                    sent is taken (all_is_taken())
//   send             counts only while the receiver's process has the envelope in its queue
//   collective       counts only if a member that is needed has not begun it, or if the one that
//                    runs it for another process, which sends the awaited packet, does not go on
#pragma once
#include "inspect/wait_graph.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace thrum {

// The envelope of a send that waits for its receive.
struct WaitingEnvelope {
    int receiver = 0;       // world rank
    int sender_process = 0; // number of the node process that has sent it
    uint64_t sender = 0;    // as in EnvelopeHeader, like the next
    uint32_t serial = 0;
    auto operator<=>(const WaitingEnvelope &) const = default;
};

// A collective operation in which a rank waits for members in other processes.
struct WaitingOperation {
    static constexpr int all_members = -1;
    uint32_t context = 0;
    uint32_t number = 0; // among the blocking calls of the communicator (comm/blocking_calls.h)
    int waiter = 0;      // world rank: runs the operation for the members of its process
    int needed = all_members; // a group of the graph: those that must have begun it
    bool sends = false;       // the needed ones are those of a process whose packet is awaited
};

// How many blocking calls of a communicator a blocked rank has begun.
struct OperationCount {
    uint32_t context = 0;
    int rank = 0; // world rank
    uint32_t begun = 0;
};

// One reading of one process.
struct ProcessWaits {
    int first_rank = 0; // world rank of the first node
    // Nodes are the ranks of the process; needs and groups name world ranks. A need of an envelope
    // or an operation is an index into `sends` or `operations`.
    WaitGraph graph;
    std::vector<WaitingEnvelope> sends;  // of its ranks
    std::vector<WaitingEnvelope> queued; // at its ranks
    std::vector<WaitingOperation> operations;
    std::vector<OperationCount> begun;
    std::vector<int> finalizing; // world ranks of the blocked ones that are in MPI_Finalize
    std::vector<int> polling;    // of those that poll in vain, and count as blocked
    // Messages sent to and taken from each process, by its number: the first before the reading,
    // the second after it (see partial_watch.h).
    std::vector<uint64_t> sent, taken;
};

std::string waits_to_text(const ProcessWaits &waits);
// Returns nothing if the text is not the output of waits_to_text().
std::optional<ProcessWaits> waits_from_text(std::string_view text);

// Returns the graph of all ranks. `by_process` has nullptr for a process of which nothing is known:
// its ranks are free.
WaitGraph merged_graph(const std::vector<const ProcessWaits *> &by_process, int world_size);

// Returns whether each process of `receivers` has taken, by its second reading, what each of
// `senders` had sent to it by its first one.
bool all_is_taken(const std::vector<const ProcessWaits *> &first,
                  const std::vector<const ProcessWaits *> &second, const std::vector<int> &senders,
                  const std::vector<int> &receivers);

} // namespace thrum
