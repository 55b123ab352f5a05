// ProcessMap: of a communicator whose members are in several node processes, which these are
// (docs/between_processes.md). Context ids of such communicators are known to all their members'
// processes; those of others mean something inside their process only.
#pragma once
#include "base/error.h"
#include "comm/communicator.h"
#include "fabric/fabric.h"

#include <vector>

namespace thrum {

struct SpanningOperations; // pending/between_processes.h

// Context ids: spanning_bit, number of the process that has made the id, a counter; as of all
// context ids the lowest bit says whether a message is the library's own. The number has as many
// bits as those of the first processes of the job need, and the largest number with these bits;
// that one stands for all processes that were added, and their own numbers follow.

inline bool spans(uint32_t context_id) {
    return static_cast<int32_t>(context_id) < 0;
}

// Members are numbered as in meeting/meeting.h: of an inter-communicator side 0, then side 1.
struct ProcessMap {
    // Where the members' processes on this node meet without messages (exchange/node_gate.h).
    struct NodeGate {
        enum class State : uint8_t { NotAsked, None, There };
        State state = State::NotAsked;
        bool is_all = false;        // no process is on another node
        int number = -1;            // at the owner
        Gate *gate = nullptr;       // There
        std::vector<int> processes; // numbers of node processes; the first is the owner
    };

    // Of one side (an intra-communicator has one): indices into `processes`, in the order of their
    // first members on this side.
    struct Side {
        std::vector<int> processes;
        bool consecutive = true; // the members of each of these processes are neighbours
    };

    std::vector<int> processes;  // numbers of node processes, in the order of their first members
    int here = 0;                // index of this process
    std::vector<int> index_of;   // by member: index of its process
    std::vector<int> locals;     // members in this process, ascending
    std::vector<int> local_side; // by local member: its side
    Side sides[2];
    NodeGate node_gate; // of those who run blocking operations, one after the other
    std::atomic<bool> is_disconnected{false}; // by MPI_Comm_disconnect; a member has written it
    SpinLock lock;                            // guards the pointer
    SpanningOperations *operations = nullptr;

    int count() const { return static_cast<int>(processes.size()); }

    // The first member in node process `process`.
    int member_in(int process) const;
    // Position of `member`, which is in this process, among the local ones.
    int local_of(int member) const;
};

// Whether the members are in more than one node process.
bool spans_processes(const Group &group, const Group *other = nullptr);

// The first of `count` (> 0) new context ids for communicators that span processes: the others
// follow, spanning_id_step apart. Known to nobody yet.
inline constexpr uint32_t spanning_id_step = 2;
uint32_t new_spanning_ids(int count);
// Gives those behind the first `used` of `count` back, if nobody has taken others since.
void return_spanning_ids(uint32_t first, int count, int used);
// Of MPI_COMM_WORLD; of no other.
uint32_t world_spanning_id();

// The context with this id in this process, made by the first who asks; of the members in this
// process each new_communicator() takes its part of it, as with new_context(). side_1: nullptr for
// intra-communicators.
Context &spanning_context(uint32_t id, const Group &side_0, const Group *side_1 = nullptr);
// Of the context with this id, if this process has one: nullptr otherwise.
const ProcessMap *find_process_map(uint32_t context_id);
// The same processes and members, for a duplicate.
ProcessMap *copy_process_map(const ProcessMap &span);
// Of a group alone.
ProcessMap *new_process_map(const Group &side_0, const Group *side_1 = nullptr);
// Processes outside this one's MPI_COMM_WORLD with which it has had a communicator in common that
// was not disconnected (section 11.10.4). They say the same of this one.
std::vector<int> connected_processes();
bool is_connected(int process); // one of them
// It has no members any more.
void forget_spanning_context(Context &context);

// How SpanningOperations are freed, and gates that are There: layers above say so in a
// constructor of its own.
void set_spanning_operations_function(void (*function)(SpanningOperations *operations));
void set_node_gate_function(void (*function)(ProcessMap::NodeGate &gate));

// MPI_ERR_UNSUPPORTED_OPERATION: `what` ("one-sided communication") of members in several
// processes.
[[gnu::cold]] Error not_across_processes(const char *what);

// How many members of the groups are in this process.
int local_members(const Group &group, const Group *other = nullptr);

} // namespace thrum
