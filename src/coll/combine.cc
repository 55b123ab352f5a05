#include "coll/combine.h"

#include <algorithm>
#include <memory>

namespace thrum {
namespace {

constexpr size_t block_bytes = 16384; // of accumulator: stays in the first-level cache

bool aliases(const Published &published, Contributors from, const char *destination) {
    for (int i = 0; i < from.count; ++i)
        if (published[from.first + i].send == destination)
            return true;
    return false;
}

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
        return; // the buffers of nothing may be null
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

void combine_range(const Published &published, const Combiner &combiner, Contributors from,
                   Range range, char *destination) {
    if (range.first >= range.end)
        return;
    const Datatype &type = combiner.type();
    Count extent = type.extent;
    Count step =
        std::max<Count>(1, static_cast<Count>(block_bytes) / std::max<Count>(1, type.size_bytes));
    step = std::min(step, range.end - range.first);
    // A contribution may not be overwritten before it has been combined.
    bool beside = aliases(published, from, destination);
    VectorSpan span(step, type);
    std::unique_ptr<char[]> scratch(beside ? new char[static_cast<size_t>(span.size_bytes)]
                                           : nullptr);
    for (Count first = range.first; first < range.end; first += step) {
        Count count = std::min(step, range.end - first);
        char *accumulator = beside ? scratch.get() + span.origin : destination + first * extent;
        combiner.copy(published[from.first + from.count - 1].send + first * extent, accumulator,
                      count);
        for (int i = from.count - 2; i >= 0; --i)
            combiner.onto(published[from.first + i].send + first * extent, accumulator, count);
        if (beside)
            combiner.copy(accumulator, destination + first * extent, count);
    }
}

// Into the leaf's scratch buffer, or nowhere if it has one member.
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

bool leaf_has_equal_sizes(Visit &visit) {
    Leaf &leaf = visit.leaf();
    const Published published(visit);
    const size_t size_bytes = published[visit.member()].size_bytes;
    leaf.partial.size_bytes = size_bytes;
    const int odd = find_odd_size(published, {leaf.first, leaf.size}, size_bytes);
    if (odd >= 0)
        visit.dispute_size(size_bytes, odd, published[odd].size_bytes);
    return odd < 0;
}

bool leaves_have_equal_sizes(Visit &visit) {
    const Meeting &meeting = visit.meeting();
    const size_t size_bytes = visit.leaf().partial.size_bytes;
    for (int i = 0; i < meeting.leaf_count; ++i) {
        const Leaf &leaf = meeting.leaves[i];
        if (leaf.partial.size_bytes == size_bytes)
            continue;
        visit.dispute_size(size_bytes, leaf.first, leaf.partial.size_bytes);
        return false;
    }
    return true;
}

Error combine_small(Visit &visit, const Reduction &reduction) {
    Combiner combiner(reduction);
    const Count count = reduction.mine.count;
    if (visit.arrive(Visit::Until::Complete)) {
        const Leaf &leaf = visit.leaf();
        if (!visit.disputed() && leaf_has_equal_sizes(visit))
            combine_leaf(Published(visit), combiner, {leaf.first, leaf.size}, count,
                         visit.leaf().partial);
        if (visit.finish_leaf()) {
            const Meeting &meeting = visit.meeting();
            if (!visit.disputed() && leaves_have_equal_sizes(visit))
                combine_leaves(meeting.leaves[0].partial, sizeof(Leaf), meeting.leaf_count,
                               combiner, count, visit.round().scratch);
            visit.complete();
        } else {
            visit.wait(Visit::Until::Complete);
        }
    }
    return visit.verdict();
}

void take_combined(const ScratchBuffer &scratch, const CollectiveCall &call) {
    const Contribution &mine = call.reduction.mine;
    if (mine.size_bytes == 0)
        return;
    const Datatype &type = *mine.type;
    const Share share = share_of(call);
    const char *result = scratch.bytes + VectorSpan(mine.count, type).origin;
    copy_elements(result + share.first * type.extent, mine.receive, share.count, type);
}

// How many of `members` work on a vector, and which: evenly spread, so that all cores take part.
int workers_for(size_t size_bytes, int members) {
    size_t ranges = (size_bytes + range_bytes_min - 1) / range_bytes_min;
    return static_cast<int>(std::min(ranges, static_cast<size_t>(members)));
}

int rank_of_worker(int worker, int workers, int members) {
    return static_cast<int>(static_cast<int64_t>(worker) * members / workers);
}

// The worker that `rank` is, or -1.
int worker_of_rank(int rank, int workers, int members) {
    auto worker = static_cast<int>((static_cast<int64_t>(rank) * workers + members - 1) / members);
    return worker < workers && rank_of_worker(worker, workers, members) == rank ? worker : -1;
}

Error meet_again(Communicator &comm, uint64_t what) {
    Visit visit(comm, what);
    visit.pass(Visit::Until::Complete);
    return visit.verdict();
}

} // namespace thrum
