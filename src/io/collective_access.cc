#include "io/collective_access.h"

#include "fiber/scheduler.h"

#include <algorithm>

namespace thrum {
namespace {

// A rank that has more than this in one piece gains nothing from others doing it.
constexpr size_t alone_bytes_min = 64 << 10;
constexpr size_t pass_pieces_max = 32768;

struct Extent {
    Offset first;
    Offset end;
};

Extent extent_of(const Span &span) {
    Offset last = span.position + static_cast<Offset>(span.size_bytes) - 1;
    return {file_position(*span.view, span.position), file_position(*span.view, last) + 1};
}

// Bytes of a piece on average, from the first few of some accesses.
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

bool interleave(std::vector<Extent> &extents) {
    std::sort(extents.begin(), extents.end(),
              [](const Extent &a, const Extent &b) { return a.first < b.first; });
    for (size_t i = 1; i < extents.size(); ++i)
        if (extents[i].first < extents[i - 1].end)
            return true;
    return false;
}

bool worth_it(const CollectivePlan &plan, const OpenFile &file, std::vector<Extent> &extents,
              size_t total_bytes) {
    // In atomic mode each access appears at once, so each has its own lock.
    if (!file.hints.collective_buffering || file.sequential() ||
        file.atomic_mode.load(std::memory_order_acquire) || plan.accesses.size() < 2)
        return false;
    for (const Access *access : plan.accesses)
        if (!access->span.view->monotone)
            return false;
    return interleave(extents) || total_bytes / extents.size() < alone_bytes_min;
}

Offset round_up(Offset value, Offset unit) {
    return (value + unit - 1) / unit * unit;
}

} // namespace

CollectivePlan *new_plan() {
    return new CollectivePlan;
}

void delete_plan(CollectivePlan *plan) {
    delete plan;
}

int aggregators_of(const OpenFile &file) {
    int nodes = file.hints.cb_nodes ? file.hints.cb_nodes : scheduler().worker_count();
    return std::clamp(nodes, 1, file.ranks);
}

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
    plan.together = worth_it(plan, file, extents, total_bytes);
    if (!plan.together)
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
    // A pass has a bounded number of pieces, if they are as dense as they can be.
    constexpr Offset page = 4096;
    auto pass = static_cast<Offset>(
        std::min(file.hints.cb_buffer_bytes, typical_piece_bytes(plan.accesses) * pass_pieces_max));
    plan.pass_bytes = std::min(plan.chunk_bytes, round_up(std::max(pass, page), page));
}

// Goes through its chunks from the first to the last; each rank's position in its stream only
// grows, so that a chunk costs a search per rank and its own pieces.
TransferResult move_part(const CollectivePlan &plan, OpenFile &file, bool writing, int number) {
    std::vector<size_t> done(plan.accesses.size(), 0); // of each span
    std::vector<Piece> pieces;
    TransferResult result;
    if (writing)
        file.written.store(true, std::memory_order_relaxed);
    Offset gathered_end = plan.first; // all before it has been done, or is another's
    auto gather = [&](Offset first, Offset end) {
        pieces.clear();
        bool skipped = first != gathered_end;
        gathered_end = end;
        for (size_t i = 0; i < done.size(); ++i) {
            const Span &span = plan.accesses[i]->span;
            if (done[i] == span.size_bytes)
                continue;
            if (skipped)
                done[i] = std::max(done[i], bytes_before(span, first));
            if (done[i] == span.size_bytes)
                continue;
            Pieces of_span(span, done[i]);
            for (Piece piece = of_span.next(end); piece.size_bytes > 0; piece = of_span.next(end))
                pieces.push_back(piece);
            done[i] = span.size_bytes - of_span.left();
        }
    };
    Offset chunk = plan.first + number * plan.chunk_bytes;
    for (; chunk < plan.end; chunk += plan.aggregators * plan.chunk_bytes) {
        Offset chunk_end = std::min(chunk + plan.chunk_bytes, plan.end);
        for (Offset pass = chunk; pass < chunk_end; pass += plan.pass_bytes) {
            gather(pass, std::min(pass + plan.pass_bytes, chunk_end));
            if (pieces.empty())
                continue;
            result.merge(writing ? write_pieces(file.descriptor, pieces)
                                 : read_pieces(file.descriptor, pieces));
            if (result.error_number || result.end_of_file != no_end_of_file)
                return result;
        }
    }
    return result;
}

} // namespace thrum
