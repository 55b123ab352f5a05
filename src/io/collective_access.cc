// Collective buffering inside one process: decides whether and how to aggregate, and does one
// aggregator's part. make_plan() runs on the last rank to arrive (file_access.cc) or on an I/O
// thread (nonblocking.cc); then each aggregator runs move_part() without any lock: chunks are
// disjoint.
#include "io/collective_access.h"

#include "fiber/scheduler.h"

#include <algorithm>

namespace thrum {
namespace {

// If the ranks have more than this on average and their extents do not overlap, aggregation is not
// worth its meeting.
constexpr size_t alone_bytes_min = 64 << 10;
constexpr size_t pass_pieces_max = 32768; // limits the memory for the list of pieces of a pass

// Estimates the size of a piece from the first few pieces of up to 8 accesses, spread over the
// ranks. At least 1.
size_t typical_piece_bytes(const std::vector<Access *> &accesses) {
    constexpr size_t accesses_max = 8, pieces_max = 8;
    size_t bytes = 0, count = 0;
    size_t step = std::max<size_t>(1, accesses.size() / accesses_max);
    for (size_t i = 0; i < accesses.size(); i += step) {
        Pieces pieces(accesses[i]->span, 0);
        for (size_t k = 0; k < pieces_max && !pieces.done(); ++k) {
            bytes += pieces.next().size_bytes;
            ++count;
        }
    }
    return count ? std::max<size_t>(1, bytes / count) : 1;
}

// Sorts the extents and returns whether any two of them overlap. Extents of interleaved views do,
// even if no byte is accessed twice.
bool interleave(std::vector<Extent> &extents) {
    std::sort(extents.begin(), extents.end(),
              [](const Extent &a, const Extent &b) { return a.first < b.first; });
    for (size_t i = 1; i < extents.size(); ++i)
        if (extents[i].first < extents[i - 1].end)
            return true;
    return false;
}

Offset round_up(Offset value, Offset unit) {
    return (value + unit - 1) / unit * unit;
}

} // namespace

Extent extent_of(const Span &span) {
    Offset last = span.position + static_cast<Offset>(span.size_bytes) - 1;
    return {file_position(*span.view, span.position), file_position(*span.view, last) + 1};
}

// All ranks come to the same result: hints and atomic mode change only in collective calls. Views
// whose tiles interleave are excluded: their file positions do not grow along the stream, but
// extents and gather() rely on that.
bool may_aggregate(const OpenFile &file, const std::vector<Access *> &accesses) {
    // In atomic mode each rank locks the range of its own access, so it must do that access itself.
    if (!file.hints.collective_buffering || file.sequential() ||
        file.atomic_mode.load(std::memory_order_acquire)) // [atomic-mode-1]
        return false;
    for (const Access *access : accesses)
        if (!access->span.view->monotone)
            return false;
    return true;
}

bool gains_by_aggregation(std::vector<Extent> &extents, size_t total_bytes) {
    return extents.size() > 1 &&
           (interleave(extents) || total_bytes / extents.size() < alone_bytes_min);
}

// More aggregators than ranks (or processes) would have nobody to run on.
int aggregators_of(const OpenFile &file) {
    if (file.sharing.id)
        return std::clamp(file.hints.cb_nodes ? file.hints.cb_nodes : file.sharing.aggregators, 1,
                          file.sharing.processes);
    int nodes = file.hints.cb_nodes ? file.hints.cb_nodes : scheduler().worker_count();
    return std::clamp(nodes, 1, file.ranks);
}

// Chunks begin at multiples of their size in the file. There are at most as many aggregators as
// chunks.
void make_plan(CollectivePlan &plan, const OpenFile &file, const std::vector<Access *> &accesses) {
    plan.accesses.clear();
    plan.result = {};
    std::vector<Extent> extents;
    size_t total_bytes = 0;
    for (Access *access : accesses) {
        if (!access || access->span.size_bytes == 0)
            continue;
        plan.accesses.push_back(access);
        extents.push_back(extent_of(access->span));
        total_bytes += access->span.size_bytes;
    }
    plan.by_aggregators =
        may_aggregate(file, plan.accesses) && gains_by_aggregation(extents, total_bytes);
    if (!plan.by_aggregators)
        return;
    plan.end = 0;
    plan.first = INT64_MAX;
    for (const Extent &extent : extents) {
        plan.first = std::min(plan.first, extent.first);
        plan.end = std::max(plan.end, extent.end);
    }
    plan.chunk_bytes = static_cast<Offset>(file.hints.cb_block_bytes);
    plan.first -= plan.first % plan.chunk_bytes;
    Offset chunks = (plan.end - plan.first + plan.chunk_bytes - 1) / plan.chunk_bytes;
    plan.aggregators = static_cast<int>(std::min<Offset>(aggregators_of(file), chunks));
    // A pass covers at most cb_buffer_size, and less if the pieces are short: so the list of pieces
    // stays bounded even if the accesses leave no holes.
    constexpr Offset page = 4096;
    auto pass = static_cast<Offset>(
        std::min(file.hints.cb_buffer_bytes, typical_piece_bytes(plan.accesses) * pass_pieces_max));
    plan.pass_bytes = std::min(plan.chunk_bytes, round_up(std::max(pass, page), page));
}

namespace {

// One aggregator's way through its chunks. Each rank's position in its stream only grows. So a pass
// costs the pieces in it, and a search per rank only where chunks of others were skipped.
class Part {
public:
    // `number` is the aggregator's.
    Part(const CollectivePlan &plan, int number)
        : plan_(plan), number_(number), done_(plan.accesses.size(), 0), gathered_end_(plan.first) {}

    // Returns the first position at or after `place` that lies in one of its chunks.
    Offset own_place(Offset place) const {
        Offset chunk = (place - plan_.first) / plan_.chunk_bytes;
        // How many chunks further on its next chunk is; negative: in the next turn.
        Offset ahead = (number_ - chunk) % plan_.aggregators;
        if (ahead == 0)
            return place;
        return plan_.first +
               (chunk + (ahead + plan_.aggregators) % plan_.aggregators) * plan_.chunk_bytes;
    }

    // Returns where the pass that begins at `place` ends: at most at the end of its chunk.
    Offset end_of_pass(Offset place) const {
        Offset chunk = (place - plan_.first) / plan_.chunk_bytes;
        return std::min(
            {place + plan_.pass_bytes, plan_.first + (chunk + 1) * plan_.chunk_bytes, plan_.end});
    }

    // Sets `pieces` to the pieces of all ranks in [first, end). If bytes were skipped since the
    // last call, they belonged to other aggregators, and the positions are searched anew.
    void gather(Offset first, Offset end, std::vector<Piece> &pieces) {
        pieces.clear();
        bool skipped = first != gathered_end_;
        gathered_end_ = end;
        for (size_t i = 0; i < done_.size(); ++i) {
            const Span &span = plan_.accesses[i]->span;
            if (skipped)
                done_[i] = std::max(done_[i], bytes_before(span, first));
            if (done_[i] == span.size_bytes)
                continue;
            Pieces of_span(span, done_[i]);
            for (Piece piece = of_span.next(end); piece.size_bytes > 0; piece = of_span.next(end))
                pieces.push_back(piece);
            done_[i] = span.size_bytes - of_span.left();
        }
    }

    // Returns the position of the first byte that has not been gathered, or the end. Other
    // aggregators' bytes count, so the caller goes on to its own_place().
    Offset next_place() const {
        Offset next = plan_.end;
        for (size_t i = 0; i < done_.size(); ++i) {
            const Span &span = plan_.accesses[i]->span;
            if (done_[i] < span.size_bytes)
                next = std::min(
                    next, file_position(*span.view, span.position + static_cast<Offset>(done_[i])));
        }
        return next;
    }

private:
    const CollectivePlan &plan_;
    int number_;
    std::vector<size_t> done_; // bytes of each span that are gathered, or another aggregator's
    Offset gathered_end_;      // everything before it is gathered, or another aggregator's
};

} // namespace

// Stops at the first error. A read that meets the end of the file stops, too: all its further
// chunks lie behind it.
TransferResult move_part(const CollectivePlan &plan, OpenFile &file, bool writing, int number) {
    Part part(plan, number);
    std::vector<Piece> pieces;
    TransferResult result;
    if (writing)
        file.written.store(true, std::memory_order_relaxed);
    for (Offset place = part.own_place(plan.first); place < plan.end;) {
        Offset end = part.end_of_pass(place);
        part.gather(place, end, pieces);
        if (pieces.empty()) { // the accesses are far apart
            place = part.own_place(part.next_place());
            continue;
        }
        result.merge(writing ? write_pieces(file.descriptor, pieces)
                             : read_pieces(file.descriptor, pieces));
        if (result.error_number || result.end_of_file != no_end_of_file)
            break;
        place = part.own_place(end);
    }
    return result;
}

} // namespace thrum
