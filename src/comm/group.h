// Group (MPI 5.0 section 7.3): an ordered set of processes. It is immutable, reference-counted and
// shared by all ranks, so the group of MPI_COMM_WORLD costs no memory per member.
#pragma once
#include "comm/process.h"
#include "mpi.h"

#include <atomic>
#include <cstdint>
#include <vector>

// A group, with one of two forms of its members. Immutable and shared by all ranks; only the count
// changes.
struct MPI_ABI_Group {
    static constexpr uint32_t magic_live = 0x67727570;
    uint32_t magic = magic_live;
    int size = 0;
    thrum::Process *first = nullptr;       // members are adjacent in memory: first[rank]
    std::vector<thrum::Process *> members; // otherwise; empty if `first` is set
    uint64_t members_hash = 0;             // of `members`, in their order; 0 if `first` is set
    // The session that it was derived from (section 9.3); nullptr: the World Model. Kept alive, but
    // it may have been finalized.
    thrum::Session *session = nullptr;
    std::atomic<int> references{1};

    // Returns member `rank`, 0 <= rank < size.
    thrum::Process &operator[](int rank) const {
        return first ? first[rank] : *members[static_cast<size_t>(rank)];
    }

    // Returns the rank of `process`, or MPI_UNDEFINED. O(1) if members are adjacent, else O(size):
    // use a RankIndex for many look-ups.
    int rank_of(const thrum::Process &process) const;
};

namespace thrum {

extern Group empty_group; // MPI_GROUP_EMPTY
// Returns the group of a handle; nullptr if it is null, freed or not a group.
Group *find_group(MPI_Group handle);
// Returns the handle: MPI_GROUP_EMPTY, or the address.
MPI_Group handle_of(Group &group);
// Add and drop a reference. The last release() frees the group. Both do nothing for empty_group.
void retain(Group &group);
void release(Group &group);

// Makes a group of the given distinct processes in this order, with one reference. Detects adjacent
// members; an empty list gives MPI_GROUP_EMPTY.
Group *new_group(std::vector<Process *> members, Session *session = nullptr);
// Returns `group` with a reference if it is derived from `session`, else a copy that is.
Group *group_of_session(Group &group, Session *session);

// Adds `change` to the count of groups of each member that was added to the job: a process with
// groups is not freed.
void count_members(const Group &group, int change);

// Returns whether the groups have the same members in the same order.
bool same_members(const Group &a, const Group &b);

// Does the same in O(1), by their hash: other members have it with a probability of 2^-64.
inline bool look_alike(const Group &a, const Group &b) {
    return a.size == b.size && a.first == b.first && a.members_hash == b.members_hash;
}

// Returns MPI_IDENT (the same members in the same order), MPI_SIMILAR (in another order) or
// MPI_UNEQUAL.
int compare_groups(const Group &a, const Group &b);

// Maps world ranks to ranks in a group: O(world size) to build, O(1) to look up.
class RankIndex {
public:
    explicit RankIndex(const Group &group);
    // Returns the rank of `process`, or MPI_UNDEFINED.
    int rank_of(const Process &process) const;

private:
    std::vector<int> rank_; // by world rank
};

} // namespace thrum

inline thrum::Process &MPI_ABI_Comm::peer(int peer_rank) const {
    return (*remote_group)[peer_rank];
}
