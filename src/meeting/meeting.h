// Meeting: where the members of a communicator meet for collective operations. Collectives inside a
// process are not made of messages: members publish addresses, meet, and read each other's buffers.
//
// Members: of an intra-communicator its ranks; of an inter-communicator the ranks of side 0, then
// those of side 1. All members go through the same sequence of calls (section 6.1), which is all
// the synchronisation that a Meeting needs. Its members use it in rounds (meeting/round.h).
#pragma once
#include "base/spinlock.h"
#include "comm/communicator.h"
#include "fiber/task.h"
#include "meeting/disagreement.h"
#include "meeting/scratch_buffer.h"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace thrum {

// Number of the calling rank among the members, and of member `rank` of side `side`.
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

// Members [first, first + count).
struct Contributors {
    int first;
    int count;
};

// The members on one side of an inter-communicator, or all of an intra-communicator.
inline Contributors members_of_side(const Communicator &comm, int side) {
    return {member_of(comm, side, 0),
            side == comm.side || !comm.inter ? comm.size : comm.remote_size};
}

// Those of the caller's group.
inline Contributors local_members(const Communicator &comm) {
    return members_of_side(comm, comm.side);
}

// Those whose data the caller receives: of the other group of an inter-communicator.
inline Contributors contributors(const Communicator &comm) {
    return members_of_side(comm, comm.inter ? 1 - comm.side : 0);
}

inline constexpr unsigned open_rounds = 4; // meeting/round.h, invariant 1
inline constexpr int leaf_members_max = 32;

// Member m of `members` is in leaf m >> leaf_shift_for(members): a function of their number alone
// (meeting/round.h, invariant 5).
int leaf_shift_for(int members);

struct alignas(64) Leaf {
    SpinLock lock; // guards what follows up to `partial`; held for a few instructions
    int first = 0; // members [first, first + size)
    int size = 0;
    uint16_t arrived[open_rounds] = {};
    TaskList waiters;
    uint64_t said[open_rounds] = {}; // by the first arrival of each round
    // Written with the lock held, read without: number of the last such round, plus 1.
    std::atomic<uint64_t> completed{0};
    std::atomic<uint64_t> published{0};
    // Belongs to the last arrival of a round, then to the last of all, until the round is complete.
    Partial partial;
};

struct alignas(64) Round {
    std::atomic<int> leaves_arrived{0};
    std::atomic<uint64_t> said{0}; // by the first leaf; 0: none yet
    // Number of the round that was last published here, plus 1: set by the publisher, first of all.
    std::atomic<uint64_t> claimed{0};
    DisputeRecord dispute;
    // Belongs to the publisher before publication, or to the last arrival before completion; read
    // by all afterwards.
    ScratchBuffer scratch;
    uint64_t publisher = 0; // its announcement
    size_t size_bytes = 0;
    int mode = 0;
    // A member that sends more than its receiver has room for, if any; else -1.
    std::atomic<int> truncated{-1};
};

struct alignas(64) Slot { // of one member
    const void *argument[open_rounds] = {};
    uint64_t next_round = 0;
    uint64_t next_operation = 0; // number of its next non-blocking one
};

static_assert(sizeof(Slot) == 64);

// What a higher layer keeps with a meeting: freed with it.
struct MeetingAttachment {
    virtual ~MeetingAttachment() = default;
};

struct Meeting {
    int members = 0;
    int leaf_shift = 0; // member m is in leaf m >> leaf_shift
    int leaf_count = 0;
    Leaf *leaves = nullptr;
    Slot *slots = nullptr;
    Round rounds[open_rounds];
    // The members' non-blocking operations (pending/operation.h); made when first needed.
    std::atomic<MeetingAttachment *> operations{nullptr};
};

// Made by one rank, for `members` members; freed with the context.
Meeting *new_meeting(int members);
void delete_meeting(Meeting *meeting);

Meeting &make_meeting(Context &context);

// What member `member` has published in the caller's last round (coll/coll.h, meet()).
const void *argument_of(const Communicator &comm, int member);

// A communicator with one member (MPI_COMM_SELF) rarely needs a meeting, and every rank has one:
// made at the first call.
inline Meeting &meeting_of(Context &context) {
    return context.meeting ? *context.meeting : make_meeting(context);
}

} // namespace thrum
