// Group (MPI 5.0 section 7.3): an ordered set of processes. Immutable and reference-counted, shared
// by all ranks: the group of MPI_COMM_WORLD costs no memory per member.
#pragma once
#include "comm/process.h"
#include "mpi.h"

#include <atomic>
#include <cstdint>
#include <vector>

struct MPI_ABI_Group {
    static constexpr uint32_t magic_live = 0x67727570;
    uint32_t magic = magic_live;
    int size = 0;
    thrum::Process *first = nullptr;       // members are neighbours in memory: first[rank]
    std::vector<thrum::Process *> members; // otherwise; empty if `first` is set
    // From which it was derived (section 9.3); nullptr: from the World Model. Kept, but the session
    // may have been finalized.
    thrum::Session *session = nullptr;
    std::atomic<int> references{1};

    // 0 <= rank < size
    thrum::Process &operator[](int rank) const {
        return first ? first[rank] : *members[static_cast<size_t>(rank)];
    }

    // The rank of `process`, or MPI_UNDEFINED. O(1) for neighbours, else O(size): for many look-ups
    // make a RankIndex.
    int rank_of(const thrum::Process &process) const;
};

namespace thrum {

extern Group empty_group;            // MPI_GROUP_EMPTY
Group *find_group(MPI_Group handle); // nullptr if null, freed or not a group
MPI_Group handle_of(Group &group);
void retain(Group &group);
void release(Group &group);

// A group of the given processes in this order, with one reference; no process twice. Neighbours
// are recognised; no members at all give MPI_GROUP_EMPTY.
Group *new_group(std::vector<Process *> members, Session *session = nullptr);
// `group` with a reference if it is derived from `session`, else a copy that is.
Group *group_of_session(Group &group, Session *session);

// Group objects say whom they have, and whom no more.
void count_members(const Group &group, int change);

// Whether the groups have the same members in the same order.
bool same_members(const Group &a, const Group &b);
// MPI_IDENT (the same members in the same order), MPI_SIMILAR (in another order) or MPI_UNEQUAL.
int compare_groups(const Group &a, const Group &b);

// Ranks of all members by world rank: O(world size) to make, O(1) to ask.
class RankIndex {
public:
    explicit RankIndex(const Group &group);
    int rank_of(const Process &process) const; // or MPI_UNDEFINED

private:
    std::vector<int> rank_; // by world rank
};

} // namespace thrum

inline thrum::Process &MPI_ABI_Comm::peer(int peer_rank) const {
    return (*remote_group)[peer_rank];
}
