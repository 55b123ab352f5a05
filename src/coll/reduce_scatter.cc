// MPI_Reduce_scatter(_block) (section 6.10).
//
// A small vector is combined on the way through the leaves (combine_small). In a large one each
// member combines its own share from all send buffers. If shares are too short to be worth a pass
// over all contributions, some members combine a range each into the round's scratch buffer
// instead.
#include "coll/coll.h"
#include "coll/reduction.h"

#include <algorithm>
#include <memory>

namespace thrum {
namespace {

// Blocking

// Lets each member combine its own share.
Error reduce_scatter_by_shares(Communicator &comm, const CollectiveCall &call) MAY_SUSPEND {
    const Contribution &argument = call.reduction.mine;
    const Share mine = call.reduction.share;
    Combiner combiner(call.reduction);
    Attendance attendance(comm, announcement(comm, call, 1), &argument);
    if (Error error = meet_with_equal_sizes(attendance))
        return error;
    // In place, the others still read what the result will overwrite, so it is built elsewhere.
    bool in_place = argument.send == argument.receive;
    VectorSpan span(mine.count, combiner.type());
    std::unique_ptr<char[]> beside(in_place ? new char[static_cast<size_t>(span.size_bytes)]
                                            : nullptr);
    char *result = in_place ? beside.get() + span.origin : argument.receive;
    combine_range(Published(attendance), combiner, contributors(comm),
                  {mine.first, mine.first + mine.count},
                  result - mine.first * combiner.type().extent);
    Error second = pass_round(comm, announcement(comm, call, 2));
    if (in_place && !second)
        combiner.copy(result, argument.receive, mine.count);
    return second;
}

// Returns where element 0 of the result of the caller's group is in the scratch buffer.
char *group_result(const ScratchBuffer &scratch, const Communicator &comm, const VectorSpan &span) {
    return scratch.bytes + (comm.inter && comm.side == 1 ? span.size_bytes : 0) + span.origin;
}

// Lets some members combine a range each into the scratch buffer of the second round, from which
// each member takes its share. The last arrival at the first round allocates that buffer: at that
// time no member has arrived at the second round, and all have left the round that used the buffer
// before (round.h, invariant 2).
Error reduce_scatter_by_ranges(Communicator &comm, const CollectiveCall &call) MAY_SUSPEND {
    const Contribution &mine = call.reduction.mine;
    const Share share = call.reduction.share;
    Combiner combiner(call.reduction);
    VectorSpan span(mine.count, combiner.type());
    Attendance attendance(comm, announcement(comm, call, 1), &mine);
    const size_t groups = comm.inter ? 2 : 1;
    Error error = meet_with_equal_sizes(attendance, [&] {
        attendance.next_round().scratch.at_least(groups * static_cast<size_t>(span.size_bytes));
    });
    if (error)
        return error;
    const int workers = workers_for(mine.size_bytes, comm.size);
    const int worker = worker_of_rank(comm.rank, workers, comm.size);
    if (worker >= 0)
        combine_range(Published(attendance), combiner, contributors(comm),
                      part_of(mine.count, worker, workers),
                      group_result(attendance.next_round().scratch, comm, span));
    Attendance second(comm, announcement(comm, call, 2));
    second.pass(Attendance::Until::Complete);
    if (Error disagreement = second.verdict())
        return disagreement;
    combiner.copy(group_result(second.round().scratch, comm, span) +
                      share.first * combiner.type().extent,
                  mine.receive, share.count);
    return success;
}

// Chooses by size: one pass through the leaves for small vectors, otherwise by shares or by ranges.
Error run_reduce_scatter(Communicator &comm, const CollectiveCall &call) MAY_SUSPEND {
    const Contribution &mine = call.reduction.mine;
    if (comm.inter || mine.size_bytes > small_reduction_bytes_max) {
        // Both groups of an inter-communicator must reach the same decision.
        const auto shares = static_cast<size_t>(std::max(comm.size, comm.remote_size));
        const bool short_shares = mine.size_bytes / range_bytes_min < shares;
        return short_shares ? reduce_scatter_by_ranges(comm, call)
                            : reduce_scatter_by_shares(comm, call);
    }
    Attendance attendance(comm, announcement(comm, call, 0), &mine);
    if (Error error = combine_small(attendance, call.reduction))
        return error;
    take_combined(attendance.round().scratch, call);
    return success;
}

// Non-blocking

// Runs a piece of work: the share of one member. With MPI_IN_PLACE others still read what the
// result will overwrite, so it is built elsewhere.
void reduce_scatter_piece(CollectiveOperation &operation, CollectiveRequest &runner, int piece) {
    CollectiveRequest &to = *operation.requests[piece];
    const Reduction &reduction = to.call.reduction;
    Share share = reduction.share;
    char *result = reduction.mine.receive;
    if (reduction.mine.send == result) {
        VectorSpan span(share.count, *reduction.mine.type);
        CollectiveRequest::Rare &rare = to.rare();
        rare.beside.reset(new char[static_cast<size_t>(span.size_bytes)]);
        result = rare.beside.get() + span.origin;
        rare.result_beside = {result, share.count, reduction.mine.type};
    }
    combine_range(contributions(operation), combiner_of(runner), contributors(*to.comm),
                  {share.first, share.first + share.count},
                  result - share.first * reduction.mine.type->extent);
}

void begin_reduce_scatter(CollectiveOperation &operation, CollectiveRequest &request) MAY_SUSPEND {
    if (!join_reduction(operation, request))
        return;
    if (is_small(request)) {
        complete_all(operation, Result::InScratch, &request);
        return;
    }
    const int members = operation.owner->members;
    do_work(operation, request, members,
            request.call.reduction.mine.size_bytes * static_cast<size_t>(members),
            reduce_scatter_piece, finish_in_place);
}

} // namespace

const CollectiveForms reduce_scatter_forms = {
    .run = run_reduce_scatter,
    .begin = begin_reduce_scatter,
    .take = take_reduced,
    .abstain = abstain,
    .flow = allreduce_flow, // where each rank takes its share
};

} // namespace thrum
