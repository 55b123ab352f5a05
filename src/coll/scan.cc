// MPI_Scan and MPI_Exscan (section 6.11). One pass over the members in rank order does the least
// work possible, so one task does it for everybody: the last to arrive for a small vector; for a
// large one each of some members takes a range of elements, and all meet again.
#include "coll/combine.h"
#include "coll/spanning.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace thrum {
namespace {

using Until = Visit::Until;
constexpr size_t range_bytes_min = 4096;

// Whether all members count alike; disputes if not.
bool agree_on_count(Visit &visit, const Contribution &mine) {
    const Published published(visit);
    const int odd = find_odd_size(published, {0, visit.meeting().members}, mine.size_bytes);
    if (odd >= 0)
        visit.dispute_size(mine.size_bytes, odd, published[odd].size_bytes);
    return odd < 0;
}

Error run(Communicator &comm, const Vector &vector, Collective collective, ScanRange *function) {
    Contribution mine = contribution(vector);
    Combiner combiner(vector);
    int operation = operation_code(vector.op);
    if (mine.size_bytes <= small_reduction_bytes_max) {
        Visit visit(comm, Announcement::make(collective, 0, operation), &mine);
        visit.pass_with([&] {
            if (agree_on_count(visit, mine))
                function(Published(visit), comm.size, combiner, {0, mine.count});
        });
        return visit.verdict();
    }
    Visit visit(comm, Announcement::make(collective, 1, operation), &mine);
    visit.pass_with([&] { (void)agree_on_count(visit, mine); });
    if (Error error = visit.verdict())
        return error;
    auto ranges = static_cast<Count>(mine.size_bytes / range_bytes_min);
    auto workers = static_cast<int>(std::min<Count>(ranges, comm.size));
    // Evenly spread over the ranks, so that all cores take part.
    for (int worker = 0; worker < workers; ++worker)
        if (static_cast<int64_t>(worker) * comm.size / workers == comm.rank)
            function(Published(visit), comm.size, combiner, part_of(mine.count, worker, workers));
    Visit second(comm, Announcement::make(collective, 2, operation));
    second.pass(Until::Complete);
    return second.verdict();
}

} // namespace

void scan_range(const Published &published, int members, const Combiner &combiner, Range range) {
    Count offset = range.first * combiner.type().extent, count = range.end - range.first;
    if (count <= 0)
        return;
    for (int member = 0; member < members; ++member) {
        const Contribution &to = published[member];
        if (to.send != to.receive)
            combiner.copy(to.send + offset, to.receive + offset, count);
        if (member > 0)
            combiner.onto(published[member - 1].receive + offset, to.receive + offset, count);
    }
}

void exscan_range(const Published &published, int members, const Combiner &combiner, Range range) {
    Count offset = range.first * combiner.type().extent, count = range.end - range.first;
    if (count <= 0)
        return;
    VectorSpan span(count, combiner.type());
    auto size_bytes = (static_cast<size_t>(span.size_bytes) + 63) & ~size_t{63};
    std::unique_ptr<char[]> scratch(new char[2 * size_bytes]);
    char *sum = scratch.get() + span.origin, *next = sum + size_bytes;
    combiner.copy(published[0].send + offset, sum, count);
    for (int member = 1; member < members; ++member) {
        const Contribution &to = published[member];
        // The contribution first: in place it is where the result goes.
        combiner.copy(to.send + offset, next, count);
        combiner.onto(sum, next, count);
        combiner.copy(sum, to.receive + offset, count);
        std::swap(sum, next);
    }
}

Error scan(Communicator &comm, const Vector &vector) {
    count_collective(comm);
    if (comm.context->span) [[unlikely]]
        return spanning_collective(comm, {Collective::Scan, -1, vector});
    return run(comm, vector, Collective::Scan, scan_range);
}

Error exscan(Communicator &comm, const Vector &vector) {
    count_collective(comm);
    if (comm.context->span) [[unlikely]]
        return spanning_collective(comm, {Collective::Exscan, -1, vector});
    return run(comm, vector, Collective::Exscan, exscan_range);
}

} // namespace thrum
