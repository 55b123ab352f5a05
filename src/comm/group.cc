// Groups, in one of two forms: adjacent members (an address and a size), or a list. Adjacent
// processes have consecutive world ranks, so the form is unique and two groups are equal only if
// their forms are.
#include "comm/group.h"

#include "comm/process_table.h"
#include "comm/session.h"

#include <algorithm>

namespace thrum {
namespace {

constinit ObjectPool<Group> pool;

uint64_t hash_of(const std::vector<Process *> &members) {
    uint64_t hash = 0;
    for (const Process *member : members) {
        hash = (hash + reinterpret_cast<uintptr_t>(member)) * 0x9e3779b97f4a7c15u; // odd: bijective
        hash ^= hash >> 32;
    }
    return hash;
}

} // namespace

constinit Group empty_group;

Group *find_group(MPI_Group handle) {
    if (is_live(handle)) [[likely]]
        return handle;
    return handle == MPI_GROUP_EMPTY ? &empty_group : nullptr;
}

MPI_Group handle_of(Group &group) {
    return &group == &empty_group ? MPI_GROUP_EMPTY : &group;
}

void retain(Group &group) {
    // The empty group is not counted: programs may free it as often as they got it (section 7.3.3).
    if (&group != &empty_group)
        group.references.fetch_add(1, std::memory_order_relaxed);
}

void release(Group &group) {
    // acq_rel [group-1]: the last one to leave sees everybody's reads done before it frees.
    if (&group == &empty_group || group.references.fetch_sub(1, std::memory_order_acq_rel) != 1)
        return;
    if (group.session)
        release(*group.session);
    count_members(group, -1);
    pool.destroy(&group);
}

// Only added processes count their groups: they come after all initial ranks, so most groups are
// recognised by one comparison.
void count_members(const Group &group, int change) {
    const Process *first_added = the_processes.processes + the_processes.first_count;
    if (group.first && group.first + group.size <= first_added)
        return;
    for (int rank = 0; rank < group.size; ++rank)
        if (Process &process = group[rank]; &process >= first_added) // release [process-1]
            process.groups.fetch_add(change, std::memory_order_release);
}

// Adjacent members need only the address of the first, which is the usual case: MPI_COMM_WORLD and
// its runs.
Group *new_group(std::vector<Process *> members, Session *session) {
    if (members.empty())
        return &empty_group;
    Group *group = pool.make();
    group->session = session;
    if (session)
        retain(*session);
    group->size = static_cast<int>(members.size());
    bool neighbours = true;
    for (size_t i = 1; i < members.size() && neighbours; ++i)
        neighbours = members[i] == members[0] + i;
    if (neighbours) {
        group->first = members[0];
    } else {
        members.shrink_to_fit();
        group->members_hash = hash_of(members);
        group->members = std::move(members);
    }
    count_members(*group, 1);
    return group;
}

// A group belongs to one session only, so a member of another session gets a copy.
Group *group_of_session(Group &group, Session *session) {
    if (group.session == session || &group == &empty_group) {
        retain(group);
        return &group;
    }
    Group *copy = pool.make();
    copy->size = group.size;
    copy->first = group.first;
    copy->members = group.members;
    copy->members_hash = group.members_hash;
    copy->session = session;
    if (session)
        retain(*session);
    count_members(*copy, 1);
    return copy;
}

bool same_members(const Group &a, const Group &b) {
    return a.size == b.size && a.first == b.first && a.members == b.members;
}

int compare_groups(const Group &a, const Group &b) {
    if (same_members(a, b))
        return MPI_IDENT;
    if (a.size != b.size)
        return MPI_UNEQUAL;
    RankIndex in_b(b);
    for (int rank = 0; rank < a.size; ++rank)
        if (in_b.rank_of(a[rank]) == MPI_UNDEFINED)
            return MPI_UNEQUAL;
    return MPI_SIMILAR;
}

RankIndex::RankIndex(const Group &group)
    : rank_(static_cast<size_t>(process_count()), MPI_UNDEFINED) {
    for (int rank = 0; rank < group.size; ++rank)
        rank_[static_cast<size_t>(group[rank].world_rank())] = rank;
}

int RankIndex::rank_of(const Process &process) const {
    return rank_[static_cast<size_t>(process.world_rank())];
}

} // namespace thrum

int MPI_ABI_Group::rank_of(const thrum::Process &process) const {
    if (first) // world ranks, not addresses: pointers to unrelated objects must not be subtracted
        return process.world_rank() >= first->world_rank() &&
                       process.world_rank() < first->world_rank() + size
                   ? process.world_rank() - first->world_rank()
                   : MPI_UNDEFINED;
    auto found = std::find(members.begin(), members.end(), &process);
    return found == members.end() ? MPI_UNDEFINED : static_cast<int>(found - members.begin());
}
