// MPI_Allreduce (section 6.9.6).
//
// A small vector is combined on the way through the leaves (combine_small). A large one is split:
// all meet, then each of some members combines one range of elements, reading all send buffers and
// writing to its own receive buffer. All meet again, copy the other ranges from those members'
// receive buffers, and meet a third time.
#include "coll/coll.h"
#include "coll/reduction.h"

namespace thrum {
namespace {

// Blocking

// Copies ranges of the result from the members that combined them.
void collect(const Attendance &attendance, const Combiner &combiner, Contributors members,
             int workers, const Contribution &mine) {
    for (int worker = 0; worker < workers; ++worker) {
        int member = members.first + rank_of_worker(worker, workers, members.count);
        if (member == attendance.member())
            continue;
        Range range = part_of(mine.count, worker, workers);
        Count offset = range.first * combiner.type().extent;
        combiner.copy(attendance.argument<Contribution>(member).receive + offset,
                      mine.receive + offset, range.end - range.first);
    }
}

// Splits the vector among the members. The first meeting publishes the contributions, the second
// the combined ranges. After the third, members may change their buffers.
Error allreduce_split(Communicator &comm, const CollectiveCall &call) MAY_SUSPEND {
    const Contribution &mine = call.reduction.mine;
    Combiner combiner(call.reduction);
    Attendance attendance(comm, announcement(comm, call, 1), &mine);
    if (Error error = meet_with_equal_sizes(attendance))
        return error;
    Contributors from = contributors(comm), members = local_members(comm);
    int workers = workers_for(mine.size_bytes, members.count);
    int worker = worker_of_rank(comm.rank, workers, members.count);
    if (worker >= 0)
        combine_range(Published(attendance), combiner, from, part_of(mine.count, worker, workers),
                      mine.receive);

    Attendance second(comm, announcement(comm, call, 2), &mine);
    second.pass(Attendance::Until::Complete);
    if (Error error = second.verdict())
        return error;
    collect(second, combiner, members, workers, mine);
    return pass_round(comm, announcement(comm, call, 3));
}

Error run_allreduce(Communicator &comm, const CollectiveCall &call) MAY_SUSPEND {
    const Contribution &mine = call.reduction.mine;
    if (comm.inter || mine.size_bytes > small_reduction_bytes_max)
        return allreduce_split(comm, call);
    Attendance attendance(comm, announcement(comm, call, 0), &mine);
    if (Error error = combine_small(attendance, call.reduction))
        return error;
    take_combined(attendance.round().scratch, call);
    return success;
}

// Non-blocking

// Combines one range for all receivers of a side: into the first one's receive buffer, then copies
// it to the others.
void allreduce_piece(CollectiveOperation &operation, CollectiveRequest &runner, int piece) {
    const Reduction &mine = runner.call.reduction;
    int pieces_a_side = pieces_of(mine, piece_bytes);
    // Between two groups: first for side 0, then for the other one.
    const Communicator &comm = *runner.comm;
    int side = comm.inter ? piece / pieces_a_side : 0;
    Contributors to = members_of_side(comm, side);
    Contributors from = members_of_side(comm, comm.inter ? 1 - side : 0);
    Range range = range_of(mine, piece % pieces_a_side, piece_bytes);
    Combiner combiner = combiner_of(runner);
    Published published = contributions(operation);
    Count offset = range.first * combiner.type().extent;
    char *first = published[to.first].receive;
    combine_range(published, combiner, from, range, first);
    for (int member = to.first + 1; member < to.first + to.count; ++member)
        combiner.copy(first + offset, published[member].receive + offset, range.end - range.first);
}

// The last to arrive has the result in the scratch buffer (small), or starts the work (large).
void begin_allreduce(CollectiveOperation &operation, CollectiveRequest &request) MAY_SUSPEND {
    if (!join_reduction(operation, request))
        return;
    if (is_small(request)) {
        complete_all(operation, Result::InScratch, &request);
        return;
    }
    const Reduction &reduction = request.call.reduction;
    const int sides = request.comm->inter ? 2 : 1;
    do_work(operation, request, sides * pieces_of(reduction, piece_bytes),
            reduction.mine.size_bytes * static_cast<size_t>(operation.owner->members),
            allreduce_piece, finish_in_place);
}

// Between node processes

// Gives the result of one side's contributions to the local members that want it, in whole or in
// shares. Members with an error get nothing.
void hand_out(const Reducing &reducing, const char *result) {
    const ProcessPart &part = reducing.part;
    for (size_t i = 0; i < part.locals.size(); ++i) {
        if ((part.inter && part.side_of(i) == reducing.side) || part.locals[i]->has_failed())
            continue;
        const Reduction &reduction = part.call(i).reduction;
        const Share share = share_of(part.call(i));
        reducing.combiner.copy(result + share.first * reducing.type().extent,
                               reduction.mine.receive, share.count);
    }
}

} // namespace

// Reduces to one of the processes that want the result, then broadcasts to all of them.
Flow allreduce_flow(ProcessPart &part) {
    for (int side = 0; side < (part.inter ? 2 : 1); ++side) {
        const std::vector<int> &wanting = part.span.sides[part.inter ? 1 - side : 0].processes;
        std::vector<int> list = part.span.sides[side].processes;
        const int root = add_root(list, wanting[0]);
        const bool contributes = position_in(list, part.span.here) >= 0;
        const bool wants = position_in(wanting, part.span.here) >= 0;
        if (!contributes && !wants)
            continue;
        Reducing reducing(part, side);
        const Accumulator result(reducing.count(), reducing.type());
        if (contributes)
            co_await reduce_to(reducing, list, root, result.elements());
        if (!wants)
            continue;
        SharedBytes packet;
        if (part.span.here == wanting[0])
            packet = pack_vector(result.elements(), reducing.count(), reducing.type());
        co_await spread(part, wanting, 0, packet);
        if (part.span.here != wanting[0] && reducing.accepts_packet(wanting[0], packet))
            unpack_vector(packet, result.elements(), reducing.count(), reducing.type());
        hand_out(reducing, result.elements());
    }
}

const CollectiveForms allreduce_forms = {
    .run = run_allreduce,
    .begin = begin_allreduce,
    .take = take_reduced,
    .abstain = abstain,
    .flow = allreduce_flow,
};

} // namespace thrum
