// MPI_Iscan and MPI_Iexscan. The small ones are done one by one in rank order: a member gets its
// result as soon as those of lower rank have theirs, whatever becomes of the others. Whoever finds
// the next member there serves it; the operation's room keeps what the next one needs. Large ones
// need everybody and are done in pieces, by several cores.
//
// One member serves at a time, without the lock: who comes meanwhile leaves its request to it. A
// member counts in after it has served, and the last of all serves once more.
#include "coll/collective_work.h"
#include "coll/joint_operations.h"
#include "coll/round.h"

namespace thrum {
namespace {

constexpr size_t piece_bytes = 4096; // of a large one: each member's is read and written

// Whether `request` is a small scan of the size of those that have been served.
bool fits(const CollectiveOperation &operation, const CollectiveRequest &request) {
    return !request.misfit && is_small(request) &&
           (operation.scanned == 0 ||
            request.call.reduction.mine.size_bytes == operation.room_bytes);
}

// The next member, if it has come and fits, to the others and to `server`. The lock is held.
CollectiveRequest *next_of(const CollectiveOperation &operation, const CollectiveRequest &server) {
    if (operation.scanned == operation.owner->members)
        return nullptr;
    CollectiveRequest *next = operation.requests[operation.scanned];
    bool ready = is_pending(next) && fits(operation, *next) && fits(operation, server) &&
                 next->call.reduction.mine.size_bytes == server.call.reduction.mine.size_bytes;
    return ready ? next : nullptr;
}

// Puts the result of `to` in its place. `server`, whose request fits, does so with its own
// operation: a user's function is called in the rank that has passed it.
void scan_one(CollectiveOperation &operation, const CollectiveRequest &to,
              const CollectiveRequest &server) MAY_SUSPEND {
    Combiner combiner = combiner_of(server);
    const Count count = server.call.reduction.mine.count;
    const Contribution &mine = to.call.reduction.mine;
    VectorSpan span(count, combiner.type());
    size_t stride_bytes = (static_cast<size_t>(span.size_bytes) + 63) & ~size_t{63};
    // Of the same size each time: its contents stay.
    char *room = operation.room.at_least(2 * stride_bytes) + span.origin;
    char *sum = room + (to.member & 1 ? stride_bytes : 0);
    const char *sum_below = room + (to.member & 1 ? 0 : stride_bytes);
    operation.room_bytes = mine.size_bytes;
    if (to.call.collective == Collective::Scan && to.member > 0 &&
        to.member == operation.owner->members - 1) {
        combiner.copy(mine.send, mine.receive, count); // nobody needs its sum
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

// Serves those who can be served, with the operation of `request`, whose member counts in later.
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

template <ScanRange *scan>
void scan_piece(CollectiveOperation &operation, CollectiveRequest &runner, int piece) {
    scan(contributions(operation), operation.owner->members, combiner_of(runner),
         range_of(runner.call.reduction, piece, piece_bytes));
}

// All are large, and alike.
void scan_large(CollectiveOperation &operation, CollectiveRequest &last) MAY_SUSPEND {
    const Reduction &reduction = last.call.reduction;
    size_t size_bytes = reduction.mine.size_bytes * static_cast<size_t>(operation.owner->members);
    do_work(operation, last, ranges(reduction, piece_bytes), size_bytes,
            last.call.collective == Collective::Scan ? scan_piece<scan_range>
                                                     : scan_piece<exscan_range>,
            finish_in_place);
}

// All have come, and been served: whoever waits still is part of a large one, or of a dispute.
void finish_scan(CollectiveOperation &operation, CollectiveRequest &last) MAY_SUSPEND {
    if (operation.scanned == operation.owner->members) {
        operation.let_go();
        return;
    }
    if (!operation.dispute.get() && operation.scanned > 0) {
        CollectiveRequest *const *waiting = operation.requests + operation.scanned;
        while (fits(operation, **waiting)) // those that waited for one that does not
            ++waiting;
        const CollectiveRequest &odd = **waiting;
        Dispute dispute{.kind = Dispute::Kind::Sizes,
                        .calls = {Announcement::signed_by(operation.said, 0), odd.announcement},
                        .size_bytes = {operation.room_bytes, odd.call.reduction.mine.size_bytes}};
        operation.dispute.record(dispute);
    }
    if (!operation.dispute.get() && members_agree(operation))
        scan_large(operation, last);
    else
        fail_disputed(operation, *operation.dispute.get());
}

} // namespace

void begin_scan(CollectiveOperation &operation, CollectiveRequest &request) {
    enter(operation, request);
    // Not without end ahead of the others: then it is the last one who serves all.
    if (!others_are_far_behind(operation))
        serve(operation, request);
    if (!operation.count_arrival(request.member))
        return;
    if (operation.scanned < operation.owner->members)
        serve(operation, request);
    finish_scan(operation, request);
}

} // namespace thrum
