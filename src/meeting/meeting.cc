// Creation and destruction of a Meeting, and what is rarely asked of one.
#include "meeting/meeting.h"

#include "base/check.h"
#include "meeting/branches.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <new>

namespace thrum {

// Returns a shift that gives at least four leaves if there are four members, so that two workers
// never share one.
int leaf_shift_for(int members) {
    unsigned size = std::bit_floor(static_cast<unsigned>(members < 4 ? 1 : members / 4));
    return std::countr_zero(size < leaf_members_max ? size : unsigned{leaf_members_max});
}

// Allocates the meeting, its leaves, branches and slots in one block: these follow the Meeting.
Meeting *new_meeting(int members) {
    CHECK(members > 0 && members < 1 << 24, "%d members", members);
    int shift = leaf_shift_for(members);
    int leaf_count = (members + (1 << shift) - 1) >> shift;
    auto count = [](int n) {
        return static_cast<size_t>(n);
    };
    const BranchCounts above = count_branches(leaf_count);
    size_t size_bytes = sizeof(Meeting) + count(leaf_count) * sizeof(Leaf) +
                        count(above.branches) * sizeof(Branch) + count(members) * sizeof(Slot);
    void *memory = std::aligned_alloc(alignof(Meeting), size_bytes);
    CHECK(memory != nullptr, "out of memory for a communicator of %d ranks", members);

    auto *meeting = new (memory) Meeting;
    meeting->members = members;
    meeting->leaf_shift = shift;
    meeting->leaf_count = leaf_count;
    meeting->leaves = reinterpret_cast<Leaf *>(meeting + 1);
    meeting->root_children = above.root_children;
    auto *branches = reinterpret_cast<Branch *>(meeting->leaves + leaf_count);
    if (above.branches > 0)
        meeting->branches = branches;
    meeting->slots = reinterpret_cast<Slot *>(branches + above.branches);
    for (int i = 0; i < leaf_count; ++i) {
        auto *leaf = new (&meeting->leaves[i]) Leaf;
        leaf->first = i << shift;
        leaf->size = std::min(1 << shift, members - leaf->first);
    }
    for (int i = 0; i < above.branches; ++i)
        new (&branches[i]) Branch;
    for (int i = 0; i < members; ++i)
        new (&meeting->slots[i]) Slot;
    return meeting;
}

void delete_meeting(Meeting *meeting) {
    for (int i = 0; i < meeting->leaf_count; ++i)
        meeting->leaves[i].partial.scratch.free();
    for (Round &round : meeting->rounds) {
        round.scratch.free();
        round.type.clear();
        round.dispute.~DisputeRecord();
    }
    delete meeting->operations.load(std::memory_order_relaxed);
    std::free(meeting); // all parts are trivially destructible in effect
}

Meeting *first_meeting(Context &context) {
    const int members = context.members.load(std::memory_order_relaxed);
    return members > 1 ? new_meeting(members) : nullptr;
}

Meeting &make_meeting(Context &context) {
    Meeting *meeting = new_meeting(1);
    meetings.of(context).set(meeting);
    return *meeting;
}

const void *argument_of(const Communicator &comm, int member) {
    const Meeting &meeting = *meetings.of(*comm.context).get();
    uint64_t last_round = meeting.slots[member_of(comm)].next_round - 1;
    return meeting.slots[member].argument[last_round % open_rounds];
}

void wake_members(Context &context) {
    Meeting &meeting = meeting_of(context);
    TaskList awake;
    for (int i = 0; i < meeting.leaf_count; ++i) {
        LockGuard guard(meeting.leaves[i].lock);
        awake.take_all(meeting.leaves[i].waiters);
    }
    make_all_runnable(awake);
}

} // namespace thrum
