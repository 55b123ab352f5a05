// Combining, and what reductions have in common in each form (reduction.h).
#include "coll/reduction.h"

#include "comm/call_names.h"
#include "meeting/type_comparison.h"

#include <mpi.h>

#include <algorithm>

namespace thrum {
namespace {

constexpr size_t block_bytes = 16384; // of the accumulator: stays in the first-level cache

// Returns whether the destination is one of the contributions (MPI_IN_PLACE).
bool aliases(const Published &published, Contributors from, const char *destination) {
    for (int i = 0; i < from.count; ++i)
        if (published[from.first + i].send == destination)
            return true;
    return false;
}

// Returns the result of a leaf; leaves are `stride_bytes` apart.
const Partial &partial_of(const Partial &first, size_t stride_bytes, int leaf) {
    return *reinterpret_cast<const Partial *>(reinterpret_cast<const char *>(&first) +
                                              static_cast<size_t>(leaf) * stride_bytes);
}

} // namespace

VectorSpan::VectorSpan(Count count, const Datatype &type) {
    if (count == 0)
        return;
    const Count reach = (count - 1) * type.extent;
    const Count low = type.true_lower_bound + std::min<Count>(reach, 0);
    const Count high = type.true_lower_bound + type.true_extent + std::max<Count>(reach, 0);
    size_bytes = high - low;
    origin = -low;
}

void copy_elements(const char *from, char *to, Count count, const Datatype &type) {
    if (count == 0)
        return; // empty buffers may be null
    if (type.contiguous)
        __builtin_memcpy(to, from, data_bytes(count, type));
    else
        copy_typed(from, count, type, to, count, type);
}

int find_odd_size(const Published &published, Contributors from, size_t size_bytes) {
    for (int i = from.first; i < from.first + from.count; ++i)
        if (published[i].size_bytes != size_bytes)
            return i;
    return -1;
}

int find_odd(const Published &published, Contributors from, const Contribution &mine) {
    for (int i = from.first; i < from.first + from.count; ++i)
        if (published[i].size_bytes != mine.size_bytes || published[i].type != mine.type)
            return i;
    return -1;
}

namespace {

TypedBytes data_of(const Contribution &contribution) {
    return {contribution.type, contribution.size_bytes};
}

// Compares the types of two members of a blocking reduction.
Error check_types(const Communicator &comm, const Contribution &a, int member_a,
                  const Contribution &b, int member_b) {
    return check_blocks(comm, {nullptr, a.count, a.type}, member_a, {nullptr, b.count, b.type},
                        member_b);
}

// Does the same for a non-blocking one.
Error check_pending_types(const Communicator &comm, const Contribution &a, int member_a,
                          const Contribution &b, int member_b) {
    if (a.size_bytes == 0 || types_surely_match(*a.type, *b.type))
        return success;
    return compare_types(comm, {data_of(a), member_a, {}}, {data_of(b), member_b, {}});
}

} // namespace

bool odd_ones_agree(Attendance &attendance, int odd, Contributors from) {
    const Published published(attendance);
    const Contribution &mine = published[attendance.member()];
    for (int i = odd; i < from.first + from.count; ++i) {
        const Contribution &theirs = published[i];
        if (theirs.size_bytes != mine.size_bytes) {
            attendance.dispute_size(mine.size_bytes, i, theirs.size_bytes);
            return false;
        }
        if (Error error = check_types(attendance.comm(), theirs, i, mine, attendance.member())) {
            attendance.dispute_types(error);
            return false;
        }
    }
    return true;
}

// Fetches the first lines of a contribution while the one before it is combined. The hardware's own
// prefetching begins anew at each.
static void prefetch_start(const char *contribution) {
    constexpr size_t fetched_bytes = 512, line_bytes = 64;
    for (size_t offset = 0; offset < fetched_bytes; offset += line_bytes)
        __builtin_prefetch(contribution + offset);
}

// Combines block by block, so that the accumulator stays in the cache while all contributions pass
// by. Goes from the last contribution to the first, because operations compute inout = in op inout.
void combine_range(const Published &published, const Combiner &combiner, Contributors from,
                   Range range, char *destination) {
    if (range.first >= range.end)
        return;
    const Datatype &type = combiner.type();
    Count extent = type.extent;
    Count step =
        std::max<Count>(1, static_cast<Count>(block_bytes) / std::max<Count>(1, type.size_bytes));
    step = std::min(step, range.end - range.first);
    // A contribution must not be overwritten before it has been combined.
    bool beside = aliases(published, from, destination);
    VectorSpan span(step, type);
    std::unique_ptr<char[]> scratch(beside ? new char[static_cast<size_t>(span.size_bytes)]
                                           : nullptr);
    for (Count first = range.first; first < range.end; first += step) {
        Count count = std::min(step, range.end - first);
        char *accumulator = beside ? scratch.get() + span.origin : destination + first * extent;
        combiner.copy(published[from.first + from.count - 1].send + first * extent, accumulator,
                      count);
        for (int i = from.count - 2; i >= 0; --i) {
            if (i > 0)
                prefetch_start(published[from.first + i - 1].send + first * extent);
            combiner.onto(published[from.first + i].send + first * extent, accumulator, count);
        }
        if (beside)
            combiner.copy(accumulator, destination + first * extent, count);
    }
}

// Combines into the leaf's scratch buffer, or only refers to the contribution if the leaf has one
// member.
void combine_leaf(const Published &published, const Combiner &combiner, Contributors leaf,
                  Count count, Partial &partial) {
    int last = leaf.first + leaf.count - 1;
    partial.size_bytes = published[last].size_bytes;
    if (leaf.count == 1) {
        partial.result = published[last].send;
        return;
    }
    VectorSpan span(count, combiner.type());
    char *accumulator =
        partial.scratch.at_least(static_cast<size_t>(span.size_bytes)) + span.origin;
    combiner.copy(published[last].send, accumulator, count);
    for (int member = last - 1; member >= leaf.first; --member)
        combiner.onto(published[member].send, accumulator, count);
    partial.result = accumulator;
}

void combine_leaves(const Partial &first, size_t stride_bytes, int leaf_count,
                    const Combiner &combiner, Count count, ScratchBuffer &scratch) {
    VectorSpan span(count, combiner.type());
    char *accumulator = scratch.at_least(static_cast<size_t>(span.size_bytes)) + span.origin;
    combiner.copy(partial_of(first, stride_bytes, leaf_count - 1).result, accumulator, count);
    for (int i = leaf_count - 2; i >= 0; --i)
        combiner.onto(partial_of(first, stride_bytes, i).result, accumulator, count);
}

bool leaf_has_equal_sizes(Attendance &attendance) {
    Leaf &leaf = attendance.leaf();
    const Published published(attendance);
    const Contribution &mine = published[attendance.member()];
    leaf.partial.size_bytes = mine.size_bytes;
    leaf.partial.type = mine.type;
    const Contributors members{leaf.first, leaf.size};
    const int odd = find_odd(published, members, mine);
    return odd < 0 || odd_ones_agree(attendance, odd, members);
}

bool leaves_have_equal_sizes(Attendance &attendance) {
    const Meeting &meeting = attendance.meeting();
    const Partial &mine = attendance.leaf().partial;
    for (int i = 0; i < meeting.leaf_count; ++i) {
        const Leaf &leaf = meeting.leaves[i];
        if (leaf.partial.size_bytes == mine.size_bytes && leaf.partial.type == mine.type)
            continue;
        // Inside a leaf all agree, so its first member stands for it.
        if (!odd_ones_agree(attendance, leaf.first, {leaf.first, 1}))
            return false;
    }
    return true;
}

// Each leaf is combined by its last arrival, while other leaves still fill up. Sizes are compared
// before any data are read.
Error combine_small(Attendance &attendance, const Reduction &reduction) {
    Combiner combiner(reduction);
    const Count count = reduction.mine.count;
    if (attendance.arrive(Attendance::Until::Complete)) {
        const Leaf &leaf = attendance.leaf();
        if (!attendance.disputed() && leaf_has_equal_sizes(attendance))
            combine_leaf(Published(attendance), combiner, {leaf.first, leaf.size}, count,
                         attendance.leaf().partial);
        if (attendance.finish_leaf()) {
            const Meeting &meeting = attendance.meeting();
            if (!attendance.disputed() && leaves_have_equal_sizes(attendance))
                combine_leaves(meeting.leaves[0].partial, sizeof(Leaf), meeting.leaf_count,
                               combiner, count, attendance.round().scratch);
            attendance.complete();
        } else {
            attendance.wait(Attendance::Until::Complete);
        }
    }
    return attendance.verdict();
}

void take_combined(const ScratchBuffer &scratch, const CollectiveCall &call) {
    const Contribution &mine = call.reduction.mine;
    if (mine.size_bytes == 0)
        return;
    const Datatype &type = *mine.type;
    const Share share = share_of(call);
    const Count origin = type.contiguous ? 0 : VectorSpan(mine.count, type).origin;
    const char *result = scratch.bytes + origin;
    copy_elements(result + share.first * type.extent, mine.receive, share.count, type);
}

// There is at most one worker for each range_bytes_min bytes.
int workers_for(size_t size_bytes, int members) {
    size_t ranges = (size_bytes + range_bytes_min - 1) / range_bytes_min;
    return static_cast<int>(std::min(ranges, static_cast<size_t>(members)));
}

int rank_of_worker(int worker, int workers, int members) {
    return static_cast<int>(static_cast<int64_t>(worker) * members / workers);
}

// Inverts rank_of_worker(); most ranks are no workers if the vector is short.
int worker_of_rank(int rank, int workers, int members) {
    auto worker = static_cast<int>((static_cast<int64_t>(rank) * workers + members - 1) / members);
    return worker < workers && rank_of_worker(worker, workers, members) == rank ? worker : -1;
}

// Non-blocking

void record_sizes(CollectiveOperation &operation, uint64_t call, size_t size_bytes,
                  uint64_t their_call, size_t their_bytes) {
    operation.dispute.record({.kind = Dispute::Kind::Sizes,
                              .calls = {call, their_call},
                              .size_bytes = {size_bytes, their_bytes},
                              .sentence = {}});
}

void record_types(CollectiveOperation &operation, uint64_t call, Error error) {
    operation.dispute.record({.kind = Dispute::Kind::Types,
                              .calls = {call, call},
                              .size_bytes = {},
                              .sentence = error_detail(error.code())});
}

namespace {

// Compares the types of two members; records a dispute if they differ.
bool types_agree(CollectiveOperation &operation, const CollectiveRequest &a,
                 const CollectiveRequest &b) {
    const Error error = check_pending_types(*b.comm, a.call.reduction.mine, a.member,
                                            b.call.reduction.mine, b.member);
    if (error)
        record_types(operation, b.announcement, error);
    return !error;
}

// Records that two members contribute different numbers of bytes.
void record_sizes(CollectiveOperation &operation, const CollectiveRequest &a,
                  const CollectiveRequest &b) {
    record_sizes(operation, a.announcement, a.call.reduction.mine.size_bytes, b.announcement,
                 b.call.reduction.mine.size_bytes);
}

// Returns whether the leaves agree with each other; each has been compared inside already.
bool leaves_agree(CollectiveOperation &operation, const CollectiveRequest &last) {
    const size_t size_bytes = last.call.reduction.mine.size_bytes;
    for (int i = 0; i < operation.owner->leaf_count; ++i) {
        const Partial &partial = operation.leaves[i].partial;
        const size_t their_bytes = partial.size_bytes;
        const int member = operation.members_of_leaf(i).first;
        if (their_bytes == size_bytes) {
            const Contribution theirs{nullptr, nullptr, 0, their_bytes, partial.type};
            const Error error = check_pending_types(*last.comm, theirs, member,
                                                    last.call.reduction.mine, last.member);
            if (!error)
                continue;
            record_types(operation, last.announcement, error);
            return false;
        }
        record_sizes(operation, last.announcement, size_bytes,
                     Announcement::signed_by(last.announcement, member), their_bytes);
        return false;
    }
    return true;
}

} // namespace

Published contributions(const CollectiveOperation &operation) {
    // Returns the offset of the contribution in a request.
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

// In an inter-communicator, the ranks in the root's group contribute nothing.
bool members_agree(CollectiveOperation &operation) {
    const CollectiveRequest *first = nullptr;
    for (int member = 0; member < operation.owner->members; ++member) {
        const CollectiveRequest *request = operation.requests[member];
        if (!is_pending(request) || request->call.root == MPI_PROC_NULL)
            continue;
        if (!first)
            first = request;
        if (request->call.reduction.mine.size_bytes == first->call.reduction.mine.size_bytes) {
            if (types_agree(operation, *first, *request))
                continue;
            return false;
        }
        record_sizes(operation, *first, *request);
        return false;
    }
    return true;
}

namespace {

// Compares the members of a leaf from `odd` on with the last one.
[[gnu::cold]] bool rest_agrees(CollectiveOperation &operation, int odd, Contributors leaf,
                               const CollectiveRequest &last) {
    for (int i = odd; i < leaf.first + leaf.count; ++i) {
        const CollectiveRequest &request = *operation.requests[i];
        if (request.call.reduction.mine.size_bytes != last.call.reduction.mine.size_bytes) {
            record_sizes(operation, request, last);
            return false;
        }
        if (!types_agree(operation, request, last))
            return false;
    }
    return true;
}

} // namespace

// Records the leaf's size even if nothing is combined: the last of all compares the leaves.
bool combine_own_leaf(CollectiveOperation &operation, CollectiveRequest &last) {
    if (last.comm->inter || operation.dispute.get())
        return false;
    Contributors leaf = operation.members_of_leaf(last.member >> operation.owner->leaf_shift);
    Partial &partial = operation.leaf_of(last.member).partial;
    const Contribution &mine = last.call.reduction.mine;
    Published published = contributions(operation);
    partial.size_bytes = mine.size_bytes;
    partial.type = keep_type(mine.type); // senders may leave and free it before the leaves agree
    partial.result = nullptr;
    const int odd = leaf.count > 1 ? find_odd(published, leaf, mine) : -1;
    if (odd >= 0 && !rest_agrees(operation, odd, leaf, last))
        return false;
    if (!is_small(last))
        return false;
    combine_leaf(published, combiner_of(last), leaf, mine.count, partial);
    return true;
}

bool finish_leaves(CollectiveOperation &operation, CollectiveRequest &last) {
    if (!operation.finish_leaf(last.member) || !all_agree(operation))
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

// Between node processes

namespace {

// Returns the arguments to use. In the group of MPI_Reduce's root only the root's arguments are
// significant (section 6.9.1). If possible they are the calling rank's own: a user's function
// should be that of the rank that calls it.
size_t significant(const ProcessPart &part, int contributing) {
    auto means_something = [&](size_t i) {
        return part.side_of(i) == contributing || part.call(i).root == MPI_ROOT;
    };
    if (means_something(part.runner))
        return part.runner;
    for (size_t i = 0; i < part.locals.size(); ++i)
        if (means_something(i))
            return i;
    return part.runner;
}

// Combines the contributions of local members into `result`.
void combine_here(const Reducing &reducing, char *result) {
    if (!reducing.accepts_all_here())
        return;
    combine_range(Published(reducing.contributions.data(), sizeof(Contribution *)),
                  reducing.combiner, {0, static_cast<int>(reducing.contributions.size())},
                  {0, reducing.count()}, result);
}

// Sends all contributions to the process at position `root`, which combines them in rank order.
Flow reduce_in_rank_order(Reducing &reducing, const std::vector<int> &list, int root,
                          char *result) MAY_SUSPEND {
    ProcessPart &part = reducing.part;
    const Datatype &type = reducing.type();
    const Count count = reducing.count();
    const int root_index = list[static_cast<size_t>(root)];
    if (part.span.here != root_index) {
        send_contributions(reducing, root_index);
        co_return;
    }
    std::vector<SharedBytes> packets;
    co_await collect_contributions(reducing, packets);
    if (packets.empty())
        co_return;
    unpack_vector(packets.back(), result, count, type);
    const Accumulator left(count, type);
    for (size_t rank = packets.size() - 1; rank-- > 0;) {
        unpack_vector(packets[rank], left.elements(), count, type);
        reducing.combiner.onto(left.elements(), result, count);
    }
}

// Combines the contributions of `given`'s processes into `result` at position `given_root`.
// Processes without a contribution may be in the list only as the root, and last.
Flow reduce_along_tree(Reducing &reducing, const std::vector<int> &given, int given_root,
                       char *result) MAY_SUSPEND {
    ProcessPart &part = reducing.part;
    const std::vector<int> list =
        reducing.mine.op->commutative ? grouped_by_node(part, given) : given;
    const int root = position_in(list, given[static_cast<size_t>(given_root)]);
    const Datatype &type = reducing.type();
    const Count count = reducing.count();
    bool empty = reducing.contributions.empty();
    if (!empty)
        combine_here(reducing, result);
    const Accumulator theirs(count, type);
    const int position = position_in(list, part.span.here);
    const Tree tree(position, root, nodes_of(part, list));
    for (size_t i = tree.children.size(); i-- > 0;) {
        const Tree::Branch child = tree.children[i];
        const SharedBytes packet =
            co_await part.exchange.receive(list[static_cast<size_t>(child.root)]);
        if (!reducing.accepts_packet(list[static_cast<size_t>(child.root)], packet))
            continue;
        if (empty) {
            unpack_vector(packet, result, count, type);
            empty = false;
            continue;
        }
        unpack_vector(packet, theirs.elements(), count, type);
        // A neighbour's result belongs before or behind this one, by the order of the processes.
        if (child.first < position) {
            reducing.combiner.onto(theirs.elements(), result, count);
        } else {
            reducing.combiner.onto(result, theirs.elements(), count);
            reducing.combiner.copy(theirs.elements(), result, count);
        }
    }
    if (tree.parent >= 0)
        part.exchange.send(list[static_cast<size_t>(tree.parent)], pack_vector(result, count, type),
                           reducing.types());
}

} // namespace

SharedBytes pack_vector(const char *elements, Count count, const Datatype &type) {
    SharedBytes packet = SharedBytes::of_size(data_bytes(count, type));
    if (packet.size_bytes() > 0)
        pack_bytes(elements, count, type, 0, packet.size_bytes(), packet.data());
    return packet;
}

void unpack_vector(const SharedBytes &packet, char *elements, Count count, const Datatype &type) {
    if (packet.size_bytes() > 0)
        unpack_bytes(packet.data(), 0, packet.size_bytes(), elements, count, type);
}

Reducing::Reducing(ProcessPart &operation, int contributing)
    : part(operation), side(contributing), owner(significant(operation, contributing)),
      mine(operation.call(owner).reduction), combiner(mine) {
    for (size_t i = 0; i < part.locals.size(); ++i)
        if (part.side_of(i) == side)
            contributions.push_back(&part.call(i).reduction.mine);
}

namespace {

// Returns the error about two members whose contributions differ in size.
PacketFault sizes_differ(const Reducing &reducing, const OtherContribution &other) {
    const ProcessPart &part = reducing.part;
    const Participant &owner = *part.locals[reducing.owner];
    const int own = part.span.locals[reducing.owner];
    const uint64_t call = announcement_of(*owner.comm, *owner.call, owner.form);
    Dispute dispute{
        .kind = Dispute::Kind::Sizes,
        .calls = {Announcement::signed_by(call, own), Announcement::signed_by(call, other.member)},
        .size_bytes = {reducing.mine.mine.size_bytes, other.size_bytes},
        .sentence = {}};
    MemberCalls calls{MemberCall{own, 0, code_of_call(owner.place)},
                      MemberCall{other.member, 0, other.call}};
    if (other.member < own) {
        std::swap(dispute.calls[0], dispute.calls[1]);
        std::swap(dispute.size_bytes[0], dispute.size_bytes[1]);
        std::swap(calls[0], calls[1]);
    }
    const Error error = owner.form == BlockingForm ? round_disagreement(*owner.comm, dispute)
                                                   : disagreement(*owner.comm, dispute);
    return {error.code(), error_detail(error.code()), calls};
}

// Notes that the types of two members differ.
[[gnu::cold]] void note_types(const Reducing &reducing, const OtherContribution &other) {
    Participant &owner = *reducing.part.locals[reducing.owner];
    const MemberName from(*owner.comm, other.member),
        to(*owner.comm, reducing.part.span.locals[reducing.owner]);
    owner.note_difference(MPI_ERR_TYPE,
                          remote_mismatch_text(from.text, other.types, other.size_bytes, to.text,
                                               {&reducing.type(), reducing.mine.mine.size_bytes}),
                          {other.member, 0, other.call});
}

} // namespace

bool Reducing::accepts(const OtherContribution &other) const {
    if (other.size_bytes != mine.mine.size_bytes) [[unlikely]] {
        part.blame_all(sizes_differ(*this, other));
        return false;
    }
    if (!remote_types_match(other.types, other.size_bytes, {&type(), other.size_bytes}))
        [[unlikely]]
        note_types(*this, other);
    return true;
}

bool Reducing::accepts_local(size_t k) const {
    const Contribution &theirs = *contributions[k];
    if (theirs.size_bytes == mine.mine.size_bytes && theirs.type == mine.mine.type) [[likely]]
        return true;
    size_t local = 0; // the member
    while (&part.call(local).reduction.mine != &theirs)
        ++local;
    return accepts({part.span.locals[local], theirs.size_bytes,
                    remote_types({theirs.type, theirs.size_bytes}),
                    code_of_call(part.locals[local]->place)});
}

bool Reducing::accepts_all_here() const {
    for (size_t k = 0; k < contributions.size(); ++k)
        if (!accepts_local(k))
            return false;
    return true;
}

bool Reducing::accepts_packet(int index, const SharedBytes &packet) const {
    const PacketLabel &label = part.exchange.received();
    return accepts({part.span.member_in(part.span.processes[static_cast<size_t>(index)]),
                    packet.size_bytes(), label.types, label.origin.call});
}

void send_contributions(Reducing &reducing, int index) MAY_SUSPEND {
    for (const Contribution *contribution : reducing.contributions)
        reducing.part.exchange.send(
            index, pack_vector(contribution->send, contribution->count, *contribution->type),
            remote_types({contribution->type, contribution->size_bytes}));
}

// Collects every contribution separately: an operation that does not commute, on ranks that are not
// in the order of the processes, needs them in rank order.
Flow collect_contributions(Reducing &reducing, std::vector<SharedBytes> &packets) {
    ProcessPart &part = reducing.part;
    packets.resize(static_cast<size_t>(part.side_size[reducing.side]));
    bool same = true;
    for (int index : part.span.sides[reducing.side].processes) {
        const std::vector<int> ranks = part.ranks_at(index, reducing.side);
        for (size_t k = 0; k < ranks.size(); ++k) {
            SharedBytes &place = packets[static_cast<size_t>(ranks[k])];
            if (index == part.span.here) {
                const Contribution &own = *reducing.contributions[k];
                place = pack_vector(own.send, own.count, *own.type);
                same = reducing.accepts_local(k) && same;
            } else {
                place = co_await part.exchange.receive(index);
                same = reducing.accepts_packet(index, place) && same;
            }
        }
    }
    if (!same)
        packets.clear();
}

int add_root(std::vector<int> &list, int index) {
    if (position_in(list, index) < 0)
        list.push_back(index);
    return position_in(list, index);
}

Flow reduce_to(Reducing &reducing, const std::vector<int> &list, int root, char *result) {
    if (reducing.in_rank_order())
        co_await reduce_in_rank_order(reducing, list, root, result);
    else
        co_await reduce_along_tree(reducing, list, root, result);
}

} // namespace thrum
