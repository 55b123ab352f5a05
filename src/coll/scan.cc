// MPI_Scan and MPI_Exscan (section 6.11).
//
// One pass over the members in rank order is the least work possible, so one task does it for all.
// For a small vector this is the last to arrive; for a large one some members take a range of
// elements each, and all meet again.
//
// Non-blocking: small scans are served one by one in rank order. A member gets its result as soon
// as those of lower rank have theirs, whether the others have arrived or not. A member that finds
// the next one present serves it; the operation's scratch buffer keeps what the next one needs. One
// member serves at a time, without the lock; members that arrive meanwhile leave their request to
// it. A member counts in after it has served, and the last of all serves once more. Large scans
// need all members and are done in pieces, by several cores.
// all members and are done in pieces, by several cores.
#include "coll/coll.h"
#include "coll/reduction.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace thrum {
namespace {

// Computes elements `range` of every member's result.
using ScanRange = void(const Published &published, int members, const Combiner &combiner,
                       Range range);

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

// Keeps two sums, because a member's result is the sum before its own contribution is added. Member
// 0 receives nothing.
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
        // Reads the contribution first: in place, the result overwrites it.
        combiner.copy(to.send + offset, next, count);
        combiner.onto(sum, next, count);
        combiner.copy(sum, to.receive + offset, count);
        std::swap(sum, next);
    }
}

ScanRange *range_function(Collective collective) {
    return collective == Collective::Scan ? scan_range : exscan_range;
}

// Blocking

// Returns whether all members have the same count; records a dispute if not.
bool agree_on_count(Attendance &attendance, const Contribution &mine) {
    const Published published(attendance);
    const Contributors all{0, attendance.meeting().members};
    const int odd = find_odd(published, all, mine);
    return odd < 0 || odd_ones_agree(attendance, odd, all);
}

// For a large vector the members that work take one range each and write it to all members' receive
// buffers, so all must meet again before they return.
Error run_scan(Communicator &comm, const CollectiveCall &call) MAY_SUSPEND {
    const Contribution &mine = call.reduction.mine;
    const Combiner combiner(call.reduction);
    ScanRange *function = range_function(call.collective);
    if (mine.size_bytes <= small_reduction_bytes_max) {
        Attendance attendance(comm, announcement(comm, call, 0), &mine);
        attendance.pass_with([&] {
            if (agree_on_count(attendance, mine))
                function(Published(attendance), comm.size, combiner, {0, mine.count});
        });
        return attendance.verdict();
    }
    Attendance attendance(comm, announcement(comm, call, 1), &mine);
    attendance.pass_with([&] { (void)agree_on_count(attendance, mine); });
    if (Error error = attendance.verdict())
        return error;
    auto ranges = static_cast<Count>(mine.size_bytes / range_bytes_min);
    auto workers = static_cast<int>(std::min<Count>(ranges, comm.size));
    // The workers are spread evenly over the ranks, so that all cores take part.
    for (int worker = 0; worker < workers; ++worker)
        if (static_cast<int64_t>(worker) * comm.size / workers == comm.rank)
            function(Published(attendance), comm.size, combiner,
                     part_of(mine.count, worker, workers));
    return pass_round(comm, announcement(comm, call, 2));
}

// Non-blocking

constexpr size_t scan_piece_bytes = 4096; // in a large scan: each member's part is read and written

// Returns whether `request` is a small scan of the same size as those already served.
bool fits(const CollectiveOperation &operation, const CollectiveRequest &request) {
    return !request.misfit && is_small(request) &&
           (operation.scanned == 0 ||
            request.call.reduction.mine.size_bytes == operation.scratch_bytes);
}

// Returns the next member if it has arrived, and fits both the others and `server`. The caller
// holds the lock.
CollectiveRequest *next_of(const CollectiveOperation &operation, const CollectiveRequest &server) {
    if (operation.scanned == operation.owner->members)
        return nullptr;
    CollectiveRequest *next = operation.requests[operation.scanned];
    bool ready = is_pending(next) && fits(operation, *next) && fits(operation, server) &&
                 next->call.reduction.mine.size_bytes == server.call.reduction.mine.size_bytes;
    return ready ? next : nullptr;
}

// Compares the type with that of the members below, which may have left the operation. Their call
// is known if they have served themselves.
void compare_with_sum(CollectiveOperation &operation, CollectiveRequest &to,
                      const CollectiveRequest &server) {
    const Contribution &mine = to.call.reduction.mine;
    if (mine.size_bytes == 0)
        return;
    ScratchType &type_below = operation.scratch_type;
    if (to.member > 0 && !type_below.surely_matches(*mine.type)) [[unlikely]]
        if (Error error = type_below.compare(*to.comm, mine.size_bytes, to.member - 1,
                                             {nullptr, mine.count, mine.type}, to.member))
            note_type_error(to, error);
    type_below.set(mine.type, &to == &server ? current_call() : CallPlace{});
}

// Computes and stores the result of `to`. `server`, whose request fits, applies its own operation:
// a user's function is called in the rank that has passed it.
void scan_one(CollectiveOperation &operation, CollectiveRequest &to,
              const CollectiveRequest &server) MAY_SUSPEND {
    compare_with_sum(operation, to, server);
    Combiner combiner = combiner_of(server);
    const Count count = server.call.reduction.mine.count;
    const Contribution &mine = to.call.reduction.mine;
    VectorSpan span(count, combiner.type());
    size_t stride_bytes = (static_cast<size_t>(span.size_bytes) + 63) & ~size_t{63};
    // The size is the same each time, so the contents stay.
    char *buffer = operation.scratch.at_least(2 * stride_bytes) + span.origin;
    char *sum = buffer + (to.member & 1 ? stride_bytes : 0);
    const char *sum_below = buffer + (to.member & 1 ? 0 : stride_bytes);
    operation.scratch_bytes = mine.size_bytes;
    if (to.call.collective == Collective::Scan && to.member > 0 &&
        to.member == operation.owner->members - 1) {
        combiner.copy(mine.send, mine.receive, count); // no member needs its sum
        combiner.onto(sum_below, mine.receive, count);
        return;
    }
    combiner.copy(mine.send, sum, count);
    if (to.member > 0)
        combiner.onto(sum_below, sum, count);
    if (to.call.collective == Collective::Scan)
        combiner.copy(sum, mine.receive, count);
    else if (to.member > 0)
        combiner.copy(sum_below, mine.receive, count);
}

// Serves all members that can be served, with the operation of `request`, whose member has not
// counted in yet.
void serve(CollectiveOperation &operation, CollectiveRequest &request) MAY_SUSPEND {
    TaskList awake;
    operation.lock.lock();
    CollectiveRequest *next = operation.scanning ? nullptr : next_of(operation, request);
    while (next) {
        operation.scanning = true;
        operation.lock.unlock();
        scan_one(operation, *next, request);
        operation.lock.lock();
        operation.requests[next->member] = completed_early();
        ++operation.scanned;
        next->operation = nullptr;
        complete(*next, awake);
        next = next_of(operation, request);
        operation.scanning = next != nullptr;
    }
    operation.lock.unlock();
    wake(awake);
}

void enter(CollectiveOperation &operation, CollectiveRequest &request) {
    LockGuard guard(operation.lock);
    operation.requests[request.member] = &request;
}

void scan_piece(CollectiveOperation &operation, CollectiveRequest &runner, int piece) {
    range_function(runner.call.collective)(
        contributions(operation), operation.owner->members, combiner_of(runner),
        range_of(runner.call.reduction, piece, scan_piece_bytes));
}

// Does the work if all are large and of the same size.
void scan_large(CollectiveOperation &operation, CollectiveRequest &last) MAY_SUSPEND {
    const Reduction &reduction = last.call.reduction;
    size_t size_bytes = reduction.mine.size_bytes * static_cast<size_t>(operation.owner->members);
    do_work(operation, last, pieces_of(reduction, scan_piece_bytes), size_bytes, scan_piece,
            finish_in_place);
}

// Finishes when all have arrived and been served. A member that still waits belongs to a large
// scan, or to a dispute.
void finish_scan(CollectiveOperation &operation, CollectiveRequest &last) MAY_SUSPEND {
    if (operation.scanned == operation.owner->members) {
        operation.let_go();
        return;
    }
    if (!operation.dispute.get() && operation.scanned > 0) {
        CollectiveRequest *const *waiting = operation.requests + operation.scanned;
        while (fits(operation, **waiting)) // those that wait for a member that does not fit
            ++waiting;
        const CollectiveRequest &odd = **waiting;
        record_sizes(operation, Announcement::signed_by(operation.said, 0), operation.scratch_bytes,
                     odd.announcement, odd.call.reduction.mine.size_bytes);
    }
    if (!operation.dispute.get() && members_agree(operation))
        scan_large(operation, last);
    else
        fail_disputed(operation, *operation.dispute.get());
}

void begin_scan(CollectiveOperation &operation, CollectiveRequest &request) MAY_SUSPEND {
    enter(operation, request);
    // A member far ahead of the others does not serve: the last one serves all then.
    if (!others_are_far_behind(operation))
        serve(operation, request);
    if (!operation.count_arrival(request.member))
        return;
    if (operation.scanned < operation.owner->members)
        serve(operation, request);
    finish_scan(operation, request);
}

// Between node processes

// Goes through the ranks from the first to the last; keeps the result of all earlier ones.
class Scanning {
public:
    explicit Scanning(Reducing &reducing)
        : reducing_(reducing), exclusive_(reducing.part.collective() == Collective::Exscan),
          sum_(reducing.count(), reducing.type()), next_(reducing.count(), reducing.type()) {}

    bool begun() const { return begun_; }

    char *sum() const { return sum_.elements(); }

    void begin(const SharedBytes &packet) {
        unpack_vector(packet, sum(), reducing_.count(), reducing_.type());
        begun_ = true;
    }

    // Adds the next rank's contribution. `receive`: where its result belongs, or nullptr.
    void add(const char *contribution, char *receive) {
        const Count count = reducing_.count();
        reducing_.combiner.copy(contribution, next_.elements(), count);
        if (begun_)
            reducing_.combiner.onto(sum(), next_.elements(), count);
        if (receive && exclusive_ && begun_)
            reducing_.combiner.copy(sum(), receive, count);
        reducing_.combiner.copy(next_.elements(), sum(), count);
        if (receive && !exclusive_)
            reducing_.combiner.copy(sum(), receive, count);
        begun_ = true;
    }

private:
    Reducing &reducing_;
    bool exclusive_;
    bool begun_ = false;
    Accumulator sum_, next_;
};

// Passes the result along the processes: each continues where the previous one has ended.
Flow scan_along_chain(Reducing &reducing) MAY_SUSPEND {
    ProcessPart &part = reducing.part;
    const std::vector<int> &list = part.span.sides[0].processes;
    const auto position = static_cast<size_t>(position_in(list, part.span.here));
    Scanning scanning(reducing);
    if (position > 0) {
        const SharedBytes packet = co_await part.exchange.receive(list[position - 1]);
        if (reducing.accepts_packet(list[position - 1], packet))
            scanning.begin(packet);
    }
    for (size_t k = 0; k < reducing.contributions.size(); ++k)
        if (reducing.accepts_local(k))
            scanning.add(reducing.contributions[k]->send, reducing.contributions[k]->receive);
    if (position + 1 < list.size())
        part.exchange.send(list[position + 1],
                           pack_vector(scanning.sum(), reducing.count(), reducing.type()),
                           reducing.types());
}

// Sends all contributions to all processes, each of which computes the results of its own ranks.
Flow scan_in_rank_order(Reducing &reducing) MAY_SUSPEND {
    ProcessPart &part = reducing.part;
    const Datatype &type = reducing.type();
    for (int index = 0; index < part.span.count(); ++index)
        if (index != part.span.here)
            send_contributions(reducing, index);
    std::vector<SharedBytes> packets;
    co_await collect_contributions(reducing, packets);
    if (packets.empty())
        co_return;
    Scanning scanning(reducing);
    const Accumulator contribution(reducing.count(), type);
    size_t here = 0;
    for (int rank = 0; rank < part.side_size[0]; ++rank) {
        const bool is_here = part.index_of(0, rank) == part.span.here;
        unpack_vector(packets[static_cast<size_t>(rank)], contribution.elements(), reducing.count(),
                      type);
        scanning.add(contribution.elements(),
                     is_here ? reducing.contributions[here++]->receive : nullptr);
    }
}

Flow scan_flow(ProcessPart &part) MAY_SUSPEND {
    Reducing reducing(part, 0);
    if (part.span.sides[0].consecutive)
        co_await scan_along_chain(reducing);
    else
        co_await scan_in_rank_order(reducing);
}

} // namespace

const CollectiveForms scan_forms = {
    .run = run_scan,
    .begin = begin_scan,
    .take = nullptr,
    .abstain = abstain,
    .flow = scan_flow,
};

} // namespace thrum
