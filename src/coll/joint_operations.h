// Inside of the operations that need everybody (begin_together): what joint_operations.cc,
// joint_movements.cc, joint_reductions.cc, joint_scans.cc and group_barrier.cc share. A member
// counts in; the last of all finishes the operation, unless said otherwise.
#pragma once
#include "coll/collective_request.h"
#include "coll/round.h"

namespace thrum {

// The members on one side of an inter-communicator, or all of an intra-communicator.
Contributors members_of_side(const Communicator &comm, int side);
// Those whose data `request` receives.
Contributors sources_of(const CollectiveRequest &request);

// Beginning

// MPI_IN_PLACE of MPI_Ialltoall(v,w): its receive buffer is overwritten while others read it.
inline bool sends_in_place(const CollectiveCall &call) {
    return call.collective >= Collective::Alltoall && call.collective <= Collective::Alltoallw &&
           !call.movement.send;
}

[[gnu::cold]] void copy_what_is_sent(CollectiveRequest &request);
// The last of a leaf.
void finish_together(CollectiveOperation &operation, CollectiveRequest &request) MAY_SUSPEND;

inline void begin_together(CollectiveOperation &operation, CollectiveRequest &request) MAY_SUSPEND {
    operation.requests[request.member] = &request;
    if (sends_in_place(request.call)) [[unlikely]]
        copy_what_is_sent(request);
    if (operation.arrive_at_leaf(request.member))
        finish_together(operation, request);
}

// Completion

enum class Result { InPlace, InRoom };

// Everybody is done; who `takes` its result from the room leaves in its own completion call. `own`
// is the request that the caller has just begun, if it has one: it takes its result here.
void complete_all(CollectiveOperation &operation, Result result, CollectiveRequest *own);
void fail_all(CollectiveOperation &operation, const Fault &fault);
void fail_disputed(CollectiveOperation &operation, const Dispute &dispute);
// What is left to be done after work in pieces.
void finish_in_place(CollectiveOperation &operation, CollectiveRequest &runner);

// When all have come, and nobody disputes. `last` is the caller's request.
void finish_allgather(CollectiveOperation &operation, CollectiveRequest &last) MAY_SUSPEND;
void finish_alltoall(CollectiveOperation &operation, CollectiveRequest &last) MAY_SUSPEND;
void finish_reduction(CollectiveOperation &operation, CollectiveRequest &last) MAY_SUSPEND;

// Reductions

Published contributions(const CollectiveOperation &operation);

inline bool is_small(const CollectiveRequest &request) {
    return !request.comm->inter &&
           request.call.reduction.mine.size_bytes <= small_reduction_bytes_max;
}

inline Combiner combiner_of(const CollectiveRequest &request) {
    return Combiner(request.call.reduction.vector());
}

// The last of a leaf. All its members are there; if they fit, their small contributions are
// combined.
void combine_own_leaf(CollectiveOperation &operation, CollectiveRequest &last) MAY_SUSPEND;

// Members `a` and `b` contribute different numbers of bytes.
void record_sizes(CollectiveOperation &operation, int a, int b);
// Whether all who wait contribute alike; records the dispute if not.
bool members_agree(CollectiveOperation &operation);

// Elements of a piece of a reduction, each of `bytes` bytes or a little more; how many pieces.
Range range_of(const Reduction &reduction, int piece, size_t bytes);
int ranges(const Reduction &reduction, size_t bytes);

// Scans: a small one is complete at a member when those of lower rank have come.
void begin_scan(CollectiveOperation &operation, CollectiveRequest &request) MAY_SUSPEND;

// The barrier between two groups: complete at a member when all of the other group have come.
inline bool is_barrier_of_groups(const CollectiveOperation &operation) {
    return operation.owner->inter &&
           Announcement::collective(operation.said) == Collective::Barrier;
}

void meet_other_group(CollectiveOperation &operation, CollectiveRequest &request);
void close_barrier(CollectiveOperation &operation); // all have come

} // namespace thrum
