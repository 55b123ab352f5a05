#include "coll/shared_reduction.h"

#include <algorithm>

namespace thrum {
namespace {

// Members `a` and `b` contribute different numbers of bytes.
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

int pieces_of(const Reduction &reduction, size_t bytes) {
    Count elements = range_of(reduction, 0, bytes).end;
    return elements > 0 ? static_cast<int>((reduction.mine.count + elements - 1) / elements) : 0;
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

bool combine_own_leaf(CollectiveOperation &operation, CollectiveRequest &last) {
    if (last.comm->inter || operation.dispute.get())
        return false;
    Contributors leaf = operation.members_of_leaf(last.member >> operation.owner->leaf_shift);
    Partial &partial = operation.leaf_of(last.member).partial;
    const Contribution &mine = last.call.reduction.mine;
    Published published = contributions(operation);
    partial.size_bytes = mine.size_bytes;
    partial.result = nullptr;
    int odd = leaf.count > 1 ? find_odd_size(published, leaf, mine.size_bytes) : -1;
    if (odd >= 0) {
        record_sizes(operation, odd, last.member);
        return false;
    }
    if (!is_small(last))
        return false;
    combine_leaf(published, combiner_of(last), leaf, mine.count, partial);
    return true;
}

bool finish_leaves(CollectiveOperation &operation, CollectiveRequest &last) {
    if (!operation.finish_leaf() || !all_agree(operation))
        return false;
    if (last.comm->inter ? !members_agree(operation) : !leaves_agree(operation, last)) {
        fail_disputed(operation, *operation.dispute.get());
        return false;
    }
    if (is_small(last))
        combine_leaves(operation.leaves[0].partial, sizeof(OperationLeaf),
                       operation.owner->leaf_count, combiner_of(last),
                       last.call.reduction.mine.count, operation.scratch);
    return true;
}

void take_reduced(CollectiveRequest &request) {
    take_combined(request.operation->scratch, request.call);
}

} // namespace thrum
