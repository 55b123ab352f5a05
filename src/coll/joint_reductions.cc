// Non-blocking reductions. Small: the last of a leaf combines what its leaf contributes, the last
// of all the leaves' results. Large: pieces, each from all send buffers.
#include "coll/collective_work.h"
#include "coll/joint_operations.h"
#include "coll/round.h"

#include <algorithm>

namespace thrum {
namespace {

constexpr size_t range_bytes = 16384; // of a piece: stays in the cache

int root_member(const CollectiveOperation &operation, const CollectiveRequest &request) {
    if (!request.comm->inter)
        return request.call.root;
    for (int member = 0; member < operation.owner->members; ++member)
        if (is_pending(operation.requests[member]) &&
            operation.requests[member]->call.root == MPI_ROOT)
            return member;
    return -1;
}

// The others of a leaf whose contributions are combined have nothing to wait for.
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

// Leaves, whose members agree each.
bool leaves_agree(CollectiveOperation &operation, const CollectiveRequest &last) {
    for (int i = 0; i < operation.owner->leaf_count; ++i) {
        if (operation.leaves[i].partial.size_bytes == last.call.reduction.mine.size_bytes)
            continue;
        Dispute dispute;
        dispute.kind = Dispute::Kind::Sizes;
        int member = operation.members_of_leaf(i).first;
        dispute.calls[0] = last.announcement;
        dispute.calls[1] = Announcement::signed_by(last.announcement, member);
        dispute.size_bytes[0] = last.call.reduction.mine.size_bytes;
        dispute.size_bytes[1] = operation.leaves[i].partial.size_bytes;
        operation.dispute.record(dispute);
        return false;
    }
    return true;
}

void allreduce_piece(CollectiveOperation &operation, CollectiveRequest &runner, int piece) {
    const Reduction &mine = runner.call.reduction;
    int pieces_a_side = ranges(mine, range_bytes);
    // Between two groups: first for side 0, then for the other.
    const Communicator &comm = *runner.comm;
    int side = comm.inter ? piece / pieces_a_side : 0;
    Contributors to = members_of_side(comm, side);
    Contributors from = members_of_side(comm, comm.inter ? 1 - side : 0);
    Range range = range_of(mine, piece % pieces_a_side, range_bytes);
    Combiner combiner = combiner_of(runner);
    Published published = contributions(operation);
    Count offset = range.first * combiner.type().extent;
    char *first = published[to.first].receive;
    combine_range(published, combiner, from, range, first);
    for (int member = to.first + 1; member < to.first + to.count; ++member)
        combiner.copy(first + offset, published[member].receive + offset, range.end - range.first);
}

void reduce_piece(CollectiveOperation &operation, CollectiveRequest &runner, int piece) {
    const CollectiveRequest &root = *operation.root;
    // Between two groups the runner may be a rank whose arguments are not significant.
    combine_range(contributions(operation), combiner_of(runner.comm->inter ? root : runner),
                  sources_of(root), range_of(root.call.reduction, piece, range_bytes),
                  root.call.reduction.mine.receive);
}

// A piece: the share of one member. In place, others still read what it will overwrite.
void reduce_scatter_piece(CollectiveOperation &operation, CollectiveRequest &runner, int piece) {
    CollectiveRequest &to = *operation.requests[piece];
    const Reduction &reduction = to.call.reduction;
    Share share = reduction.share;
    char *result = reduction.mine.receive;
    if (reduction.mine.send == result) {
        VectorSpan span(share.count, *reduction.mine.type);
        std::unique_ptr<char[]> &beside = to.rare().beside;
        beside.reset(new char[static_cast<size_t>(span.size_bytes)]);
        result = beside.get() + span.origin;
    }
    combine_range(contributions(operation), combiner_of(runner), sources_of(to),
                  {share.first, share.first + share.count},
                  result - share.first * reduction.mine.type->extent);
}

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
    do_work(operation, last, ranges(reduction, range_bytes),
            reduction.mine.size_bytes * static_cast<size_t>(operation.owner->members), reduce_piece,
            finish_in_place);
}

void reduce_large(CollectiveOperation &operation, CollectiveRequest &last) MAY_SUSPEND {
    const Reduction &reduction = last.call.reduction;
    int members = operation.owner->members, sides = last.comm->inter ? 2 : 1;
    size_t size_bytes = reduction.mine.size_bytes * static_cast<size_t>(members);
    switch (last.call.collective) {
    case Collective::Reduce:
        reduce_to_root(operation, last);
        break;
    case Collective::Allreduce:
        do_work(operation, last, sides * ranges(reduction, range_bytes), size_bytes,
                allreduce_piece, finish_in_place);
        break;
    default:
        do_work(operation, last, members, size_bytes, reduce_scatter_piece, finish_in_place);
    }
}

// The result of a small MPI_Reduce is for the root only; the others are done.
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

} // namespace

Published contributions(const CollectiveOperation &operation) {
    // Where in a request its contribution is.
    static const auto offset_bytes = [] {
        const auto *probe = reinterpret_cast<const CollectiveRequest *>(4096); // never dereferenced
        return reinterpret_cast<size_t>(&probe->call.reduction.mine) - 4096;
    }();
    return {operation.requests, sizeof(CollectiveRequest *), offset_bytes};
}

Range range_of(const Reduction &reduction, int piece, size_t bytes) {
    Count elements = std::max<Count>(1, static_cast<Count>(bytes) /
                                            std::max<Count>(1, reduction.mine.type->size_bytes));
    Count first = piece * elements;
    return {first, std::min(first + elements, reduction.mine.count)};
}

int ranges(const Reduction &reduction, size_t bytes) {
    Count elements = range_of(reduction, 0, bytes).end;
    return elements > 0 ? static_cast<int>((reduction.mine.count + elements - 1) / elements) : 0;
}

void record_sizes(CollectiveOperation &operation, int a, int b) {
    Dispute dispute;
    dispute.kind = Dispute::Kind::Sizes;
    int member[2] = {a, b};
    for (int i : {0, 1}) {
        dispute.calls[i] = operation.requests[member[i]]->announcement;
        dispute.size_bytes[i] = operation.requests[member[i]]->call.reduction.mine.size_bytes;
    }
    operation.dispute.record(dispute);
}

// Between groups the rank beside a root contributes nothing.
bool members_agree(CollectiveOperation &operation) {
    const CollectiveRequest *first = nullptr;
    for (int member = 0; member < operation.owner->members; ++member) {
        const CollectiveRequest *request = operation.requests[member];
        if (!is_pending(request) || request->call.root == MPI_PROC_NULL)
            continue;
        if (!first)
            first = request;
        if (request->call.reduction.mine.size_bytes == first->call.reduction.mine.size_bytes)
            continue;
        record_sizes(operation, first->member, member);
        return false;
    }
    return true;
}

void combine_own_leaf(CollectiveOperation &operation, CollectiveRequest &last) {
    if (operation.dispute.get())
        return;
    Contributors leaf = operation.members_of_leaf(last.member >> operation.owner->leaf_shift);
    Partial &partial = operation.leaf_of(last.member).partial;
    const Contribution &mine = last.call.reduction.mine;
    Published published = contributions(operation);
    partial.size_bytes = mine.size_bytes;
    partial.result = nullptr;
    int odd = leaf.count > 1 ? find_odd_size(published, leaf, mine.size_bytes) : -1;
    if (odd >= 0) {
        record_sizes(operation, odd, last.member);
        return;
    }
    if (!is_small(last))
        return;
    combine_leaf(published, combiner_of(last), leaf, mine.count, partial);
    if (last.call.collective == Collective::Reduce && leaf.count > 1)
        release_senders(operation, leaf, last.call.root);
}

void finish_reduction(CollectiveOperation &operation, CollectiveRequest &last) {
    if (last.comm->inter ? !members_agree(operation) : !leaves_agree(operation, last)) {
        fail_disputed(operation, *operation.dispute.get());
        return;
    }
    if (!is_small(last)) {
        reduce_large(operation, last);
        return;
    }
    const Contribution &mine = last.call.reduction.mine;
    combine_leaves(operation.leaves[0].partial, sizeof(OperationLeaf), operation.owner->leaf_count,
                   combiner_of(last), mine.count, operation.room);
    if (last.call.collective == Collective::Reduce)
        leave_to_root(operation, last.call.root);
    else
        complete_all(operation, Result::InRoom, &last);
}

} // namespace thrum
