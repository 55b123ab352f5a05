// Non-blocking operations that need everybody: barrier, allgather(v), alltoall(v,w) and the
// reductions, and their persistent forms (sections 6.12 and 6.13): how they begin, and complete.
#include "coll/joint_operations.h"

#include "coll/round.h"

#include <memory>

namespace thrum {

// The members on one side of an inter-communicator, or all of an intra-communicator.
Contributors members_of_side(const Communicator &comm, int side) {
    return {member_of(comm, side, 0),
            side == comm.side || !comm.inter ? comm.size : comm.remote_size};
}

// Those whose data `request` receives.
Contributors sources_of(const CollectiveRequest &request) {
    const Communicator &comm = *request.comm;
    return members_of_side(comm, comm.inter ? 1 - comm.side : 0);
}

void complete_all(CollectiveOperation &operation, Result result, CollectiveRequest *own) {
    TaskList awake;
    CollectiveRequest *const *end = operation.requests + operation.owner->members;
    for (CollectiveRequest *const *entry = operation.requests; entry < end; ++entry) {
        CollectiveRequest *request = *entry;
        if (!is_pending(request))
            continue;
        if (result == Result::InRoom)
            request->takes = true;
        else
            request->operation = nullptr;
        if (request == own)
            complete_own(*request);
        else
            complete(*request, awake);
    }
    wake(awake);
    if (result == Result::InPlace)
        operation.let_go();
    else if (own)
        own->take_and_leave();
}

void fail_all(CollectiveOperation &operation, const Fault &fault) {
    for (int member = 0; member < operation.owner->members; ++member)
        if (CollectiveRequest *request = operation.requests[member]; is_pending(request))
            request->fault = fault;
    complete_all(operation, Result::InPlace, nullptr);
}

void fail_disputed(CollectiveOperation &operation, const Dispute &dispute) {
    Fault fault;
    fault.kind = Fault::Kind::Dispute;
    fault.dispute = dispute;
    fail_all(operation, fault);
}

void finish_in_place(CollectiveOperation &operation, CollectiveRequest &runner) {
    // A helper's own request is known to others, too.
    const bool helped = operation.work_is_open.load(std::memory_order_relaxed);
    complete_all(operation, Result::InPlace, helped ? nullptr : &runner);
}

namespace {

// All have come.
[[gnu::noinline]] void finish(CollectiveOperation &operation, CollectiveRequest &last) MAY_SUSPEND {
    if (const Dispute *dispute = operation.dispute.get()) [[unlikely]] {
        fail_disputed(operation, *dispute);
        return;
    }
    switch (last.call.collective) {
    case Collective::Barrier:
        complete_all(operation, Result::InPlace, &last);
        break;
    case Collective::Allgather:
    case Collective::Allgatherv:
        finish_allgather(operation, last);
        break;
    case Collective::Alltoall:
    case Collective::Alltoallv:
    case Collective::Alltoallw:
        finish_alltoall(operation, last);
        break;
    default:
        finish_reduction(operation, last);
    }
}

} // namespace

void copy_what_is_sent(CollectiveRequest &request) {
    request.rare().copy =
        std::make_unique<PackedCopy>(request.call.movement.receive, request.comm->size);
}

void finish_together(CollectiveOperation &operation, CollectiveRequest &request) {
    if (is_reduction(Announcement::collective(operation.said)) && !request.comm->inter)
        combine_own_leaf(operation, request);
    if (operation.finish_leaf())
        finish(operation, request);
}

void abstain_from_together(CollectiveOperation &operation, int member) {
    {
        LockGuard guard(operation.lock); // a scan looks at it before all have come
        operation.requests[member] = completed_early();
    }
    if (!operation.count_arrival(member))
        return;
    if (Announcement::phase(operation.said) == InitForm)
        operation.let_go();
    else if (is_barrier_of_groups(operation))
        close_barrier(operation);
    else
        fail_disputed(operation, *operation.dispute.get());
}

} // namespace thrum
