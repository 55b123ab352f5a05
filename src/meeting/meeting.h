// Meeting: where the members of a communicator meet for collective operations. Collectives inside a
// process use no messages: members publish addresses, meet, and read each other's buffers.
//
// Members: of an intra-communicator its ranks; of an inter-communicator the ranks of side 0, then
// those of side 1. All members make the same sequence of calls (section 6.1), so a Meeting needs no
// further synchronisation. Members use it in rounds (meeting/round.h).
#pragma once
#include "base/spinlock.h"
#include "comm/communicator.h"
#include "fiber/task.h"
#include "meeting/disagreement.h"
#include "meeting/scratch_buffer.h"
#include "meeting/type_comparison.h"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace thrum {

// Returns the calling rank's number among the members, or that of member `rank` of side `side`.
inline int member_of(const Communicator &comm, int side, int rank) {
    if (!comm.inter || side == 0)
        return rank;
    return rank + (comm.side == 0 ? comm.size : comm.remote_size);
}

inline int member_of(const Communicator &comm) {
    return member_of(comm, comm.side, comm.rank);
}

inline int member_count(const Communicator &comm) {
    return comm.inter ? comm.size + comm.remote_size : comm.size;
}

// The members [first, first + count).
struct Contributors {
    int first;
    int count;
};

// Returns the members on one side of an inter-communicator, or all members of an
// intra-communicator.
inline Contributors members_of_side(const Communicator &comm, int side) {
    return {member_of(comm, side, 0),
            side == comm.side || !comm.inter ? comm.size : comm.remote_size};
}

// Returns the members of the caller's group.
inline Contributors local_members(const Communicator &comm) {
    return members_of_side(comm, comm.side);
}

// Returns the members whose data the caller receives: the other group of an inter-communicator,
// otherwise all.
inline Contributors contributors(const Communicator &comm) {
    return members_of_side(comm, comm.inter ? 1 - comm.side : 0);
}

inline constexpr unsigned open_rounds = 4; // meeting/round.h, invariant 1
inline constexpr int leaf_members_max = 32;

// Returns the shift that assigns members to leaves: member m is in leaf m >> shift. It depends only
// on the number of members (meeting/round.h, invariant 5).
int leaf_shift_for(int members);

// A part of the members that meet first among themselves. One leaf per cache line and lock keeps
// workers from disturbing each other.
struct alignas(64) Leaf {
    SpinLock lock; // guards everything up to `partial`; held for a few instructions
    int first = 0; // members [first, first + size)
    int size = 0;
    uint16_t arrived[open_rounds] = {};
    TaskList waiters;
    uint64_t said[open_rounds] = {}; // written by the first arrival of each round
    // The number of the last completed round, plus 1. Written with the lock held, read without it.
    std::atomic<uint64_t> completed{0};
    std::atomic<uint64_t> published{0};
    // Belongs to the last arrival of a round, then to the last arrival of all, until the round is
    // complete.
    Partial partial;
};

// Up to eight leaves, or branches, that count together (meeting/branches.h). The last arrivals of
// its children write it; rounds that are open at the same time do so in different lines.
struct Branch {
    struct alignas(64) Count {
        std::atomic<int> arrived{0};
        std::atomic<uint64_t> said{0}; // written by the first child; 0: none yet
    };

    Count counts[open_rounds];
};

// What all members share in one round. At most four rounds are open, so a record is reused.
struct alignas(64) Round {
    std::atomic<int> arrived{0};   // leaves, or branches if there are any
    std::atomic<uint64_t> said{0}; // written by the first of them; 0: none yet
    // The number of the round that was last published here, plus 1. The publisher sets it before
    // anything else.
    std::atomic<uint64_t> claimed{0};
    DisputeRecord dispute;
    // Belongs to the publisher before publication, or to the last arrival before completion. All
    // members may read it afterwards.
    ScratchBuffer scratch;
    uint64_t publisher = 0; // the publisher's announcement
    size_t size_bytes = 0;
    ScratchType type; // of the data in `scratch`, if the publisher has left
    int mode = 0;
    // A member that sends more than its receiver has room for; -1: none.
    std::atomic<int> truncated{-1};
};

struct alignas(64) Slot { // the slot of one member
    const void *argument[open_rounds] = {};
    uint64_t next_round = 0;
    uint64_t next_operation = 0; // number of its next non-blocking operation
    // The lower half of the call's return address in the program: tells whether the member is still
    // in the call that an error is about.
    uint32_t call_site_low[open_rounds] = {};
};

static_assert(sizeof(Slot) == 64);

// Data of a higher layer that is kept with a meeting and freed with it.
struct MeetingAttachment {
    virtual ~MeetingAttachment() = default;
};

struct Meeting {
    int members = 0;
    int leaf_shift = 0; // member m is in leaf m >> leaf_shift
    int leaf_count = 0;
    int root_children = 0; // leaves or branches that count in Round::arrived
    Leaf *leaves = nullptr;
    Branch *branches = nullptr; // nullptr: the leaves count there themselves
    Slot *slots = nullptr;
    Round rounds[open_rounds];
    // The members' non-blocking operations (pending/operation.h), allocated when first needed.
    std::atomic<MeetingAttachment *> operations{nullptr};
};

// Makes a meeting for `members` members. One rank calls it; the context frees it.
Meeting *new_meeting(int members);
void delete_meeting(Meeting *meeting);

// Returns the meeting with which a context begins: none for a single member, because every rank has
// a communicator with one member (MPI_COMM_SELF) that rarely needs one.
Meeting *first_meeting(Context &context);
inline const Extension<Context, Meeting, delete_meeting, first_meeting> meetings;

Meeting &make_meeting(Context &context); // for a single member

// Returns what member `member` published in the caller's last round (coll/coll.h, meet()).
const void *argument_of(const Communicator &comm, int member);

// Returns the context's meeting. That of a single member is made at the first call.
inline Meeting &meeting_of(Context &context) {
    Meeting *meeting = meetings.of(context).get();
    return meeting ? *meeting : make_meeting(context);
}

// Wakes all members that wait in the meeting of a context: each looks whether it may continue.
void wake_members(Context &context);

} // namespace thrum
