// Non-blocking operations that need everybody: barrier, allgather(v), alltoall(v,w) and the
// reductions, and their persistent forms (sections 6.12 and 6.13). A member counts in; the last of
// a leaf combines what its leaf contributes to a small reduction; the last of all does the rest.
#include "coll/collective_request.h"
#include "coll/collective_work.h"
#include "coll/round.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace thrum {
namespace {

constexpr size_t allgather_room_bytes_max = 32768; // of all contributions together
constexpr size_t range_bytes = 16384;              // of a reduction's piece: stays in the cache
constexpr size_t scan_range_bytes = 4096;          // of a scan's: each member's is read and written

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

Published contributions(const CollectiveOperation &operation) {
    // Where in a request its contribution is.
    static const auto offset_bytes = [] {
        const auto *probe = reinterpret_cast<const CollectiveRequest *>(4096); // never dereferenced
        return reinterpret_cast<size_t>(&probe->call.reduction.mine) - 4096;
    }();
    return {operation.requests, sizeof(CollectiveRequest *), offset_bytes};
}

// Completion

enum class Result { InPlace, InRoom };

// Everybody is done; who `takes` its result from the room leaves in its own completion call.
void complete_all(CollectiveOperation &operation, Result result) {
    TaskList awake;
    for (int member = 0; member < operation.owner->members; ++member) {
        CollectiveRequest *request = operation.requests[member];
        if (!is_pending(request))
            continue;
        if (result == Result::InRoom)
            request->takes = true;
        else
            request->operation = nullptr;
        complete(*request, awake);
    }
    if (result == Result::InPlace)
        operation.let_go();
    make_all_runnable(awake);
}

void fail_all(CollectiveOperation &operation, const Fault &fault) {
    for (int member = 0; member < operation.owner->members; ++member)
        if (CollectiveRequest *request = operation.requests[member]; is_pending(request))
            request->fault = fault;
    complete_all(operation, Result::InPlace);
}

void fail_disputed(CollectiveOperation &operation, const Dispute &dispute) {
    Fault fault;
    fault.kind = Fault::Kind::Dispute;
    fault.dispute = dispute;
    fail_all(operation, fault);
}

void finish_in_place(CollectiveOperation &operation, CollectiveRequest &) {
    complete_all(operation, Result::InPlace);
}

// The barrier between two groups: completes at a member when all of the other group have come
// (section 6.12.1).

bool is_barrier_of_groups(const CollectiveOperation &operation) {
    return operation.owner->inter &&
           Announcement::collective(operation.said) == Collective::Barrier;
}

void complete_list(CollectiveRequest *list) {
    TaskList awake;
    while (CollectiveRequest *request = list) {
        list = request->next;
        request->operation = nullptr;
        complete(*request, awake);
    }
    make_all_runnable(awake);
}

// All have come: whoever waits still does so because of a dispute.
void close_barrier(CollectiveOperation &operation) {
    for (CollectiveRequest *waiting : operation.side_waiting) {
        for (CollectiveRequest *request = waiting; request; request = request->next) {
            request->fault.kind = Fault::Kind::Dispute;
            request->fault.dispute = *operation.dispute.get();
        }
        complete_list(waiting);
    }
    operation.let_go();
}

void meet_other_group(CollectiveOperation &operation, CollectiveRequest &request) {
    const Communicator &comm = *request.comm;
    CollectiveRequest *others = nullptr;
    bool done;
    {
        LockGuard guard(operation.sides_lock);
        bool own_is_complete = ++operation.side_arrived[comm.side] == comm.size;
        bool disputed = operation.dispute.get() != nullptr;
        done = !disputed && operation.side_arrived[1 - comm.side] == comm.remote_size;
        if (own_is_complete && !disputed)
            others = std::exchange(operation.side_waiting[1 - comm.side], nullptr);
        if (!done) {
            request.next = operation.side_waiting[comm.side];
            operation.side_waiting[comm.side] = &request;
        }
    }
    complete_list(others);
    if (done) {
        request.operation = nullptr;
        request.completion.set_done();
    }
    if (operation.count_arrival(request.member))
        close_barrier(operation);
}

// Allgather and alltoall

void copy_into(CollectiveRequest &to, int rank, const Block &from, const Block &room) {
    if (copy_block(from, room)) [[likely]]
        return;
    to.fault.kind = Fault::Kind::Truncated;
    to.fault.peer = rank;
    to.fault.sent_bytes = from.size_bytes();
    to.fault.room_bytes = room.size_bytes();
}

Block gathered_block(const CollectiveRequest &from) {
    const Movement &movement = from.call.movement;
    return movement.send ? movement.send[0] : movement.receive[from.comm->rank];
}

// A piece: everything that one member receives.
void allgather_piece(CollectiveOperation &operation, CollectiveRequest &, int piece) {
    CollectiveRequest &to = *operation.requests[piece];
    Contributors sources = sources_of(to);
    for (int rank = 0; rank < sources.count; ++rank) {
        int member = sources.first + rank;
        if (member != to.member || to.call.movement.send)
            copy_into(to, rank, gathered_block(*operation.requests[member]),
                      to.call.movement.receive[rank]);
    }
}

void alltoall_piece(CollectiveOperation &operation, CollectiveRequest &, int piece) {
    CollectiveRequest &to = *operation.requests[piece];
    Contributors sources = sources_of(to);
    for (int rank = 0; rank < sources.count; ++rank)
        copy_into(to, rank, operation.requests[sources.first + rank]->sent()[to.comm->rank],
                  to.call.movement.receive[rank]);
}

void allgather(CollectiveOperation &operation, CollectiveRequest &last) MAY_SUSPEND {
    int members = operation.owner->members;
    size_t total_bytes = 0;
    for (int member = 0; member < members; ++member)
        total_bytes += gathered_block(*operation.requests[member]).size_bytes();
    if (last.comm->inter || total_bytes > allgather_room_bytes_max) {
        size_t size_bytes = total_bytes * static_cast<size_t>(last.comm->size);
        do_work(operation, last, members, size_bytes, allgather_piece, finish_in_place);
        return;
    }
    operation.room_bytes = total_bytes;
    char *to = operation.room.at_least(total_bytes);
    for (int member = 0; member < members; ++member)
        to += pack_block(gathered_block(*operation.requests[member]), to);
    complete_all(operation, Result::InRoom);
}

void alltoall(CollectiveOperation &operation, CollectiveRequest &last) MAY_SUSPEND {
    // An estimate for who asks for help: blocks may have different sizes.
    auto members = static_cast<size_t>(operation.owner->members);
    size_t block_bytes = std::max<size_t>(64, last.call.movement.receive[0].size_bytes());
    do_work(operation, last, operation.owner->members, members * members * block_bytes,
            alltoall_piece, finish_in_place);
}

// Reductions

bool is_small(const CollectiveRequest &request) {
    return !request.comm->inter &&
           request.call.reduction.mine.size_bytes <= small_reduction_bytes_max;
}

Combiner combiner_of(const CollectiveRequest &request) {
    return Combiner(request.call.reduction.vector());
}

// Elements of a piece, each of `bytes` bytes or a little more.
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
    make_all_runnable(awake);
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

// The last of a leaf. All its members are there; if they fit, their small contributions are
// combined.
void combine_own_leaf(CollectiveOperation &operation, CollectiveRequest &last) MAY_SUSPEND {
    if (operation.dispute.get())
        return;
    Contributors leaf = operation.members_of_leaf(last.member >> operation.owner->leaf_shift);
    Partial &partial = operation.leaf_of(last.member).partial;
    const Contribution &mine = last.call.reduction.mine;
    Published published = contributions(operation);
    partial.size_bytes = mine.size_bytes;
    partial.result = nullptr;
    if (int odd = find_odd_size(published, leaf, mine.size_bytes); odd >= 0) {
        record_sizes(operation, odd, last.member);
        return;
    }
    Collective collective = last.call.collective;
    if (!is_small(last) || collective == Collective::Scan || collective == Collective::Exscan)
        return;
    combine_leaf(published, combiner_of(last), leaf, mine.count, partial);
    if (collective == Collective::Reduce && leaf.count > 1)
        release_senders(operation, leaf, last.call.root);
}

// Whether all contribute alike: leaves, whose members agree each; between groups, where the rank
// beside a root contributes nothing, members.
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
        to.beside.reset(new char[static_cast<size_t>(span.size_bytes)]);
        result = to.beside.get() + span.origin;
    }
    combine_range(contributions(operation), combiner_of(runner), sources_of(to),
                  {share.first, share.first + share.count},
                  result - share.first * reduction.mine.type->extent);
}

template <ScanRange *scan>
void scan_piece(CollectiveOperation &operation, CollectiveRequest &runner, int piece) {
    scan(contributions(operation), operation.owner->members, combiner_of(runner),
         range_of(runner.call.reduction, piece, scan_range_bytes));
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
    case Collective::Scan:
        do_work(operation, last, ranges(reduction, scan_range_bytes), size_bytes,
                scan_piece<scan_range>, finish_in_place);
        break;
    case Collective::Exscan:
        do_work(operation, last, ranges(reduction, scan_range_bytes), size_bytes,
                scan_piece<exscan_range>, finish_in_place);
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
    make_all_runnable(awake);
}

void reduce(CollectiveOperation &operation, CollectiveRequest &last) MAY_SUSPEND {
    if (last.comm->inter ? !members_agree(operation) : !leaves_agree(operation, last)) {
        fail_disputed(operation, *operation.dispute.get());
        return;
    }
    Collective collective = last.call.collective;
    if (!is_small(last) || collective == Collective::Scan || collective == Collective::Exscan) {
        reduce_large(operation, last);
        return;
    }
    const Contribution &mine = last.call.reduction.mine;
    combine_leaves(operation.leaves[0].partial, sizeof(OperationLeaf), operation.owner->leaf_count,
                   combiner_of(last), mine.count, operation.room);
    if (collective == Collective::Reduce)
        leave_to_root(operation, last.call.root);
    else
        complete_all(operation, Result::InRoom);
}

// All have come.
void finish(CollectiveOperation &operation, CollectiveRequest &last) MAY_SUSPEND {
    if (const Dispute *dispute = operation.dispute.get()) [[unlikely]] {
        fail_disputed(operation, *dispute);
        return;
    }
    switch (last.call.collective) {
    case Collective::Barrier:
        complete_all(operation, Result::InPlace);
        break;
    case Collective::Allgather:
    case Collective::Allgatherv:
        allgather(operation, last);
        break;
    case Collective::Alltoall:
    case Collective::Alltoallv:
    case Collective::Alltoallw:
        alltoall(operation, last);
        break;
    default:
        reduce(operation, last);
    }
}

} // namespace

void begin_together(CollectiveOperation &operation, CollectiveRequest &request) {
    operation.requests[request.member] = &request;
    if (is_barrier_of_groups(operation)) {
        meet_other_group(operation, request);
        return;
    }
    Collective collective = request.call.collective;
    if (collective >= Collective::Alltoall && collective <= Collective::Alltoallw &&
        !request.call.movement.send)
        request.copy =
            std::make_unique<PackedCopy>(request.call.movement.receive, request.comm->size);
    if (!operation.arrive_at_leaf(request.member))
        return;
    if (is_reduction(Announcement::collective(operation.said)) && !request.comm->inter)
        combine_own_leaf(operation, request);
    if (operation.finish_leaf())
        finish(operation, request);
}

void abstain_from_together(CollectiveOperation &operation, int member) {
    operation.requests[member] = completed_early();
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
