// ProcessMap: the node processes of a communicator whose members are in several of them
// (docs/between_processes.md). Context ids of such communicators are known to the processes of all
// members; other context ids are valid only inside their process.
#pragma once
#include "base/error.h"
#include "comm/communicator.h"
#include "fabric/fabric.h"

#include <vector>

namespace thrum {

// Context ids consist of spanning_bit, the number of the process that made the id, and a counter.
// As in all context ids, the lowest bit marks the library's own messages. The number has as many
// bits as the initial processes of the job need. The largest number with these bits stands for all
// added processes, whose own numbers follow.

// Returns whether a context id belongs to a communicator that spans processes: the highest bit.
inline bool spans(uint32_t context_id) {
    return static_cast<int32_t>(context_id) < 0;
}

// The processes of a communicator's members. Members are numbered as in meeting/meeting.h: in an
// inter-communicator side 0, then side 1. Immutable, except for is_disconnected; owned by the
// context.
struct ProcessMap {
    // The processes of one side (an intra-communicator has one): indices into `processes`, in the
    // order of their first members on this side.
    struct Side {
        std::vector<int> processes;
        bool consecutive = true; // the members in each process have consecutive ranks
    };

    std::vector<NodeProcess> processes; // in the order of their first members
    int here = 0;                       // index of this process
    std::vector<int> index_of;          // by member: index of its process
    std::vector<int> locals;            // members in this process, ascending
    std::vector<int> local_side;        // by local member: its side
    Side sides[2];
    std::atomic<bool> is_disconnected{false}; // set by a member in MPI_Comm_disconnect
    static constexpr int extensions_max = 2;
    Extensions<ProcessMap, extensions_max> extensions; // of layers above

    int count() const { return static_cast<int>(processes.size()); }

    // Returns the first member in node process `process`.
    int member_in(NodeProcess process) const;
    // Returns the position of `member`, which must be in this process, among the local ones.
    int local_of(int member) const;
};

// Returns whether the members are in more than one node process.
bool spans_processes(const Group &group, const Group *other = nullptr);

// Reserves `count` (> 0) new context ids for communicators that span processes. Returns the first;
// the others follow at distances of spanning_id_step. No other process knows them yet.
inline constexpr uint32_t spanning_id_step = 2;
uint32_t new_spanning_ids(int count);
// Returns the ids after the first `used` of `count`, if no others have been reserved since.
void return_spanning_ids(uint32_t first, int count, int used);
// Returns the id of MPI_COMM_WORLD.
uint32_t world_spanning_id();

// Returns the context with this id in this process; the first caller makes it. Each
// new_communicator() of a member in this process takes one of its members, as with new_context().
// side_1: nullptr for intra-communicators.
Context &spanning_context(uint32_t id, const Group &side_0, const Group *side_1 = nullptr);
// Returns the map of the context with this id, or nullptr if this process has no such context.
const ProcessMap *find_process_map(uint32_t context_id);
// Copies processes and members, for a duplicate.
ProcessMap *copy_process_map(const ProcessMap &span);
// Makes the map of one group, or of two sides.
ProcessMap *new_process_map(const Group &side_0, const Group *side_1 = nullptr);
// Returns the processes outside this one's MPI_COMM_WORLD with which it shares or shared a
// communicator that was not disconnected (section 11.10.4). They list this one, too.
std::vector<NodeProcess> connected_processes();
// Returns whether `process` is one of them.
bool is_connected(NodeProcess process);
// Forgets a context without members, and frees its map.
void forget_spanning_context(Context &context);

// Returns MPI_ERR_UNSUPPORTED_OPERATION: `what` ("one-sided communication") does not work for
// members in several processes.
[[gnu::cold]] Error not_across_processes(const char *what);

// Returns how many members of the groups are in this process.
int local_members(const Group &group, const Group *other = nullptr);

} // namespace thrum
