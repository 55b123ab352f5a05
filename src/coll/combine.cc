#include "coll/combine.h"

#include <algorithm>
#include <memory>

namespace thrum {
namespace {

constexpr size_t block_bytes = 16384; // of accumulator: stays in the first-level cache

Contribution const &of(const Visit &visit, int member) {
    return visit.argument<Contribution>(member);
}

// The last of a leaf: into the leaf's room, or nowhere if it has one member.
void combine_leaf(Visit &visit, const Combiner &combiner, Count count, const Span &span) {
    Leaf &leaf = visit.leaf();
    size_t size_bytes = of(visit, visit.member()).size_bytes;
    for (int i = 0; i < leaf.size; ++i) {
        if (of(visit, leaf.first + i).size_bytes != size_bytes) {
            // Who counts differently cannot be combined with.
            visit.dispute(Announcement::signed_by(visit.what(), leaf.first + i));
            return;
        }
    }
    leaf.partial_bytes = size_bytes;
    int last = leaf.first + leaf.size - 1;
    if (leaf.size == 1) {
        leaf.result = of(visit, last).send;
        return;
    }
    char *accumulator = leaf.partial.at_least(static_cast<size_t>(span.size_bytes)) + span.origin;
    combiner.copy(of(visit, last).send, accumulator, count);
    for (int member = last - 1; member >= leaf.first; --member)
        combiner.onto(of(visit, member).send, accumulator, count);
    leaf.result = accumulator;
}

// The last of all: into the round's room.
void combine_leaves(Visit &visit, const Combiner &combiner, Count count, const Span &span) {
    Meeting &meeting = visit.meeting();
    for (int i = 0; i < meeting.leaf_count; ++i) {
        if (meeting.leaves[i].partial_bytes != visit.leaf().partial_bytes) {
            visit.dispute(Announcement::signed_by(visit.what(), meeting.leaves[i].first));
            return;
        }
    }
    int last = meeting.leaf_count - 1;
    char *accumulator =
        visit.round().room.at_least(static_cast<size_t>(span.size_bytes)) + span.origin;
    combiner.copy(meeting.leaves[last].result, accumulator, count);
    for (int i = last - 1; i >= 0; --i)
        combiner.onto(meeting.leaves[i].result, accumulator, count);
}

bool aliases(const Visit &visit, Contributors from, const char *destination) {
    for (int i = 0; i < from.count; ++i)
        if (of(visit, from.first + i).send == destination)
            return true;
    return false;
}

} // namespace

Span::Span(Count count, const Datatype &type) {
    Count reach = count > 0 ? (count - 1) * type.extent : 0;
    Count low = type.true_lower_bound + std::min<Count>(reach, 0);
    Count high = type.true_lower_bound + type.true_extent + std::max<Count>(reach, 0);
    size_bytes = count > 0 ? high - low : 0;
    origin = -low;
}

void Combiner::copy(const char *from, char *to, Count count) const {
    if (count == 0)
        return; // the buffers of nothing may be null
    if (type_.contiguous)
        __builtin_memcpy(to, from, data_bytes(count, type_));
    else
        copy_typed(from, count, type_, to, count, type_);
}

void combine_range(const Visit &visit, const Combiner &combiner, Contributors from, Range range,
                   char *destination) {
    if (range.first >= range.end)
        return;
    const Datatype &type = combiner.type();
    Count extent = type.extent;
    Count step =
        std::max<Count>(1, static_cast<Count>(block_bytes) / std::max<Count>(1, type.size_bytes));
    step = std::min(step, range.end - range.first);
    // A contribution may not be overwritten before it has been combined.
    bool beside = aliases(visit, from, destination);
    Span span(step, type);
    std::unique_ptr<char[]> scratch(beside ? new char[static_cast<size_t>(span.size_bytes)]
                                           : nullptr);
    for (Count first = range.first; first < range.end; first += step) {
        Count count = std::min(step, range.end - first);
        char *accumulator = beside ? scratch.get() + span.origin : destination + first * extent;
        combiner.copy(of(visit, from.first + from.count - 1).send + first * extent, accumulator,
                      count);
        for (int i = from.count - 2; i >= 0; --i)
            combiner.onto(of(visit, from.first + i).send + first * extent, accumulator, count);
        if (beside)
            combiner.copy(accumulator, destination + first * extent, count);
    }
}

Error combine_small(Visit &visit, const Vector &vector, Contribution &mine) {
    Combiner combiner(vector);
    Span span(mine.count, vector.type);
    if (visit.arrive(Visit::Until::Complete)) {
        if (!visit.disputed())
            combine_leaf(visit, combiner, mine.count, span);
        if (visit.finish_leaf()) {
            if (!visit.disputed())
                combine_leaves(visit, combiner, mine.count, span);
            visit.complete();
        } else {
            visit.wait(Visit::Until::Complete);
        }
    }
    return visit.verdict();
}

const char *combined_result(const Visit &visit, Count count, const Datatype &type) {
    return visit.round().room.bytes + Span(count, type).origin;
}

} // namespace thrum
