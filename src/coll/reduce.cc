// MPI_Reduce (section 6.9.1).
//
// A small vector is combined on the way through the leaves (combine_small). A large one is split:
// all meet, then each of some members combines one range of elements, reading all send buffers and
// writing to the root's receive buffer; all meet again.
#include "coll/bundle.h"
#include "coll/coll.h"
#include "coll/reduction.h"

#include <mpi.h>

#include <algorithm>

namespace thrum {
namespace {

// Blocking

// Combines ranges if this rank is one of `members`. `root` is a member, with its receive buffer.
void reduce_part(const Attendance &attendance, const Combiner &combiner, Contributors from,
                 Contributors members, const Contribution &root) {
    int workers = workers_for(root.size_bytes, members.count);
    int worker = worker_of_rank(attendance.member() - members.first, workers, members.count);
    if (worker >= 0)
        combine_range(Published(attendance), combiner, from, part_of(root.count, worker, workers),
                      root.receive);
}

// Combines a large vector, in an intra-communicator.
Error reduce_split(Communicator &comm, const CollectiveCall &call) MAY_SUSPEND {
    Combiner combiner(call.reduction);
    Attendance attendance(comm, announcement(comm, call, 1), &call.reduction.mine);
    if (Error error = meet_with_equal_sizes(attendance))
        return error;
    Contributors all = local_members(comm);
    reduce_part(attendance, combiner, all, all, attendance.argument<Contribution>(call.root));
    return pass_round(comm, announcement(comm, call, 2));
}

// Checks that all ranks that contribute to the root of another group have the root's count.
Error check_sizes(const Attendance &attendance, Contributors from, const Contribution &mine) {
    const int odd = find_odd_size(Published(attendance), from, mine.size_bytes);
    if (odd < 0)
        return success;
    return fail(MPI_ERR_COUNT,
                "count: rank %d of the remote group contributes %zu bytes, this rank expects %zu",
                odd - from.first, attendance.argument<Contribution>(odd).size_bytes,
                mine.size_bytes);
}

// Inter-communicator: the root combines the contributions of the other group.
Error reduce_between(Communicator &comm, const CollectiveCall &call) MAY_SUSPEND {
    const Contribution &mine = call.reduction.mine;
    Attendance attendance(comm, announcement(comm, call, 1), &mine);
    attendance.pass(Attendance::Until::Complete);
    if (Error error = attendance.verdict())
        return error;
    Error error;
    if (call.root == MPI_ROOT) {
        Contributors from = contributors(comm);
        error = check_sizes(attendance, from, mine);
        if (!error)
            combine_range(Published(attendance), Combiner(call.reduction), from, {0, mine.count},
                          mine.receive);
    }
    Error second = pass_round(comm, announcement(comm, call, 2));
    return error ? error : second;
}

Error run_reduce(Communicator &comm, const CollectiveCall &call) MAY_SUSPEND {
    if (comm.inter)
        return reduce_between(comm, call);
    const Contribution &mine = call.reduction.mine;
    if (mine.size_bytes > small_reduction_bytes_max)
        return reduce_split(comm, call);
    Attendance attendance(comm, announcement(comm, call, 0), &mine);
    if (Error error = combine_small(attendance, call.reduction))
        return error;
    if (comm.rank == call.root)
        take_combined(attendance.round().scratch, call);
    return success;
}

// Non-blocking

// Returns the member that is the root, or -1. Called when all members have arrived.
int root_member(const CollectiveOperation &operation, const CollectiveRequest &request) {
    if (!request.comm->inter)
        return request.call.root;
    for (int member = 0; member < operation.owner->members; ++member)
        if (is_pending(operation.requests[member]) &&
            operation.requests[member]->call.root == MPI_ROOT)
            return member;
    return -1;
}

// Completes the other members of a leaf whose contributions have been combined.
void release_senders(CollectiveOperation &operation, Contributors leaf, int root) {
    TaskList awake;
    for (int member = leaf.first; member < leaf.first + leaf.count; ++member) {
        if (member == root)
            continue;
        CollectiveRequest &request = *operation.requests[member];
        operation.requests[member] = completed_early();
        request.operation = nullptr;
        complete(request, awake);
    }
    wake(awake);
}

void reduce_piece(CollectiveOperation &operation, CollectiveRequest &runner, int piece) {
    const CollectiveRequest &root = *operation.root;
    // Between two groups the runner may be a rank whose arguments are not significant.
    combine_range(contributions(operation), combiner_of(runner.comm->inter ? root : runner),
                  contributors(*root.comm), range_of(root.call.reduction, piece, piece_bytes),
                  root.call.reduction.mine.receive);
}

// Large vectors: all pieces are written to the root's receive buffer, so the root must be known
// before the work begins.
void reduce_to_root(CollectiveOperation &operation, CollectiveRequest &last) MAY_SUSPEND {
    int member = root_member(operation, last);
    if (member < 0) {
        Fault fault;
        fault.kind = Fault::Kind::NoRoot;
        fail_all(operation, fault);
        return;
    }
    operation.root = operation.requests[member];
    const Reduction &reduction = operation.root->call.reduction;
    do_work(operation, last, pieces_of(reduction, piece_bytes),
            reduction.mine.size_bytes * static_cast<size_t>(operation.owner->members), reduce_piece,
            finish_in_place);
}

// Leaves the result of a small MPI_Reduce to the root, which takes it in its completion call;
// completes the others.
void leave_to_root(CollectiveOperation &operation, int root) {
    CollectiveRequest &at_root = *operation.requests[root];
    operation.requests[root] = completed_early();
    TaskList awake;
    for (int member = 0; member < operation.owner->members; ++member) {
        if (CollectiveRequest *request = operation.requests[member]; is_pending(request)) {
            request->operation = nullptr;
            complete(*request, awake);
        }
    }
    at_root.takes = at_root.alone = true;
    complete(at_root, awake);
    wake(awake);
}

// The last member of a leaf combines the leaf, if it is small, and releases its other senders at
// once: their buffers are no longer needed.
void begin_reduce(CollectiveOperation &operation, CollectiveRequest &request) MAY_SUSPEND {
    operation.requests[request.member] = &request;
    if (!operation.arrive_at_leaf(request.member))
        return;
    const Contributors leaf =
        operation.members_of_leaf(request.member >> operation.owner->leaf_shift);
    if (combine_own_leaf(operation, request) && leaf.count > 1)
        release_senders(operation, leaf, request.call.root);
    if (!finish_leaves(operation, request))
        return;
    if (is_small(request))
        leave_to_root(operation, request.call.root);
    else
        reduce_to_root(operation, request);
}

// Between node processes

// Reduces into memory of the library, because only the root's receive buffer is significant, and it
// may be of another process.
Flow reduce_flow(ProcessPart &part) MAY_SUSPEND {
    const Root root = find_root(part);
    if (root.index < 0)
        co_return;
    Reducing reducing(part, root.side);
    std::vector<int> list = part.span.sides[root.side].processes;
    const int position = add_root(list, root.index);
    const Accumulator result(reducing.count(), reducing.type());
    co_await reduce_to(reducing, list, position, result.elements());
    if (root.local < 0)
        co_return;
    const Participant &receiver = part.local_root(root.local);
    if (!receiver.has_failed())
        reducing.combiner.copy(result.elements(), receiver.call->reduction.mine.receive,
                               reducing.count());
}

} // namespace

const CollectiveForms reduce_forms = {
    .run = run_reduce,
    .begin = begin_reduce,
    .take = take_reduced,
    .abstain = abstain,
    .flow = reduce_flow,
};

} // namespace thrum
