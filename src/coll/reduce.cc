// MPI_Reduce (section 6.9.1), MPI_Allreduce (section 6.9.6), MPI_Reduce_scatter(_block)
// (section 6.10).
//
// A small vector is combined on the way through the leaves (combine_small). A large one is split:
// all meet, then each of some members combines one range of elements, reading everybody's send
// buffer and writing where the result is wanted; all meet again. For MPI_Allreduce they then copy
// the other ranges from those members' receive buffers, and meet a third time. MPI_Reduce_scatter
// has a range for each member, its share, unless shares are too short to be worth a pass over all
// contributions: then the ranges are as for the others, and go into the round's room.
#include "coll/combine.h"
#include "coll/spanning.h"

#include <algorithm>
#include <memory>

namespace thrum {
namespace {

using Until = Visit::Until;
constexpr size_t range_bytes_min = 4096; // a smaller range is not worth a member's while

uint64_t announcement(Collective collective, int phase, const Vector &vector, int root = -1) {
    return Announcement::make(collective, phase, operation_code(vector.op), root);
}

Contributors local_members(const Communicator &comm) {
    return {member_of(comm, comm.inter ? comm.side : 0, 0), comm.size};
}

Contributors contributors(const Communicator &comm) {
    return {member_of(comm, comm.inter ? 1 - comm.side : 0, 0), comm.remote_size};
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
    visit.pass(Until::Complete);
    return visit.verdict();
}

// Ranges of the result from the members that combined them.
void collect(const Visit &visit, const Combiner &combiner, Contributors members, int workers,
             const Contribution &mine) {
    for (int worker = 0; worker < workers; ++worker) {
        int member = members.first + rank_of_worker(worker, workers, members.count);
        if (member == visit.member())
            continue;
        Range range = part_of(mine.count, worker, workers);
        Count offset = range.first * combiner.type().extent;
        combiner.copy(visit.argument<Contribution>(member).receive + offset, mine.receive + offset,
                      range.end - range.first);
    }
}

Error allreduce_split(Communicator &comm, const Vector &vector) {
    Contribution mine = contribution(vector);
    Combiner combiner(vector);
    Visit visit(comm, announcement(Collective::Allreduce, 1, vector), &mine);
    if (Error error = meet_with_equal_sizes(visit))
        return error;
    Contributors from = contributors(comm), members = local_members(comm);
    int workers = workers_for(mine.size_bytes, members.count);
    int worker = worker_of_rank(comm.rank, workers, members.count);
    if (worker >= 0)
        combine_range(Published(visit), combiner, from, part_of(mine.count, worker, workers),
                      mine.receive);

    Visit second(comm, announcement(Collective::Allreduce, 2, vector), &mine);
    second.pass(Until::Complete);
    if (Error error = second.verdict())
        return error;
    collect(second, combiner, members, workers, mine);
    return meet_again(comm, announcement(Collective::Allreduce, 3, vector));
}

// `root` as a member and where it receives; this rank takes part in the work if it is one of
// `members`.
void reduce_part(const Visit &visit, const Combiner &combiner, Contributors from,
                 Contributors members, const Contribution &root) {
    int workers = workers_for(root.size_bytes, members.count);
    int worker = worker_of_rank(visit.member() - members.first, workers, members.count);
    if (worker >= 0)
        combine_range(Published(visit), combiner, from, part_of(root.count, worker, workers),
                      root.receive);
}

Error reduce_split(Communicator &comm, const Vector &vector, int root) {
    Contribution mine = contribution(vector);
    Combiner combiner(vector);
    Visit visit(comm, announcement(Collective::Reduce, 1, vector, root), &mine);
    if (Error error = meet_with_equal_sizes(visit))
        return error;
    Contributors all = local_members(comm);
    reduce_part(visit, combiner, all, all, visit.argument<Contribution>(root));
    return meet_again(comm, announcement(Collective::Reduce, 2, vector, root));
}

// Everybody who contributes to the root of another group must count as it does.
Error check_sizes(const Visit &visit, Contributors from, const Contribution &mine) {
    const int odd = find_odd_size(Published(visit), from, mine.size_bytes);
    if (odd < 0)
        return success;
    return fail(MPI_ERR_COUNT,
                "count: rank %d of the remote group contributes %zu bytes, this rank expects %zu",
                odd - from.first, visit.argument<Contribution>(odd).size_bytes, mine.size_bytes);
}

// Inter-communicator: the root combines what the other group sends.
Error reduce_between(Communicator &comm, const Vector &vector, int root) {
    Contribution mine = contribution(vector);
    Visit visit(comm, announcement(Collective::Reduce, 1, vector), &mine);
    visit.pass(Until::Complete);
    if (Error error = visit.verdict())
        return error;
    Error error;
    if (root == MPI_ROOT) {
        Contributors from = contributors(comm);
        error = check_sizes(visit, from, mine);
        if (!error)
            combine_range(Published(visit), Combiner(vector), from, {0, mine.count}, mine.receive);
    }
    Error second = meet_again(comm, announcement(Collective::Reduce, 2, vector));
    return error ? error : second;
}

// Each member combines its own share.
Error reduce_scatter_by_shares(Communicator &comm, const Vector &vector, Share mine,
                               Collective collective) {
    Contribution argument = contribution(vector);
    Combiner combiner(vector);
    Visit visit(comm, announcement(collective, 1, vector), &argument);
    if (Error error = meet_with_equal_sizes(visit))
        return error;
    // In place, the others still read what the result will overwrite: it waits beside.
    bool in_place = vector.send == vector.receive;
    VectorSpan span(mine.count, vector.type);
    std::unique_ptr<char[]> beside(in_place ? new char[static_cast<size_t>(span.size_bytes)]
                                            : nullptr);
    char *result = in_place ? beside.get() + span.origin : argument.receive;
    combine_range(Published(visit), combiner, contributors(comm),
                  {mine.first, mine.first + mine.count}, result - mine.first * vector.type.extent);
    Error second = meet_again(comm, announcement(collective, 2, vector));
    if (in_place && !second)
        combiner.copy(result, argument.receive, mine.count);
    return second;
}

// Where the result of the caller's group is in the room: element 0 of it.
char *group_result(const Room &room, const Communicator &comm, const VectorSpan &span) {
    return room.bytes + (comm.inter && comm.side == 1 ? span.size_bytes : 0) + span.origin;
}

// Some members combine a range each, into the room of the second round, from which each member
// takes its share. The last arrival at the first round makes that room: nobody has arrived at the
// second one then, and all have left the one that had the room before (round.h, invariant 2).
Error reduce_scatter_by_ranges(Communicator &comm, const Vector &vector, Share share,
                               Collective collective) {
    Contribution mine = contribution(vector);
    Combiner combiner(vector);
    VectorSpan span(mine.count, vector.type);
    Visit visit(comm, announcement(collective, 1, vector), &mine);
    const size_t groups = comm.inter ? 2 : 1;
    Error error = meet_with_equal_sizes(visit, [&] {
        visit.next_round().room.at_least(groups * static_cast<size_t>(span.size_bytes));
    });
    if (error)
        return error;
    const int workers = workers_for(mine.size_bytes, comm.size);
    const int worker = worker_of_rank(comm.rank, workers, comm.size);
    if (worker >= 0)
        combine_range(Published(visit), combiner, contributors(comm),
                      part_of(mine.count, worker, workers),
                      group_result(visit.next_round().room, comm, span));
    Visit second(comm, announcement(collective, 2, vector));
    second.pass(Until::Complete);
    if (Error disagreement = second.verdict())
        return disagreement;
    combiner.copy(group_result(second.round().room, comm, span) + share.first * vector.type.extent,
                  mine.receive, share.count);
    return success;
}

} // namespace

Error reduce(Communicator &comm, const Vector &vector, int root) {
    count_collective(comm);
    if (comm.context->span) [[unlikely]]
        return spanning_collective(comm, {Collective::Reduce, root, vector});
    if (comm.inter)
        return reduce_between(comm, vector, root);
    Contribution mine = contribution(vector);
    if (mine.size_bytes > small_reduction_bytes_max)
        return reduce_split(comm, vector, root);
    Visit visit(comm, announcement(Collective::Reduce, 0, vector, root), &mine);
    if (Error error = combine_small(visit, vector, mine))
        return error;
    if (comm.rank == root && mine.size_bytes > 0)
        Combiner(vector).copy(combined_result(visit.round().room, mine.count, vector.type),
                              mine.receive, mine.count);
    return success;
}

Error allreduce(Communicator &comm, const Vector &vector) {
    count_collective(comm);
    if (comm.context->span) [[unlikely]]
        return spanning_collective(comm, {Collective::Allreduce, -1, vector});
    Contribution mine = contribution(vector);
    if (comm.inter || mine.size_bytes > small_reduction_bytes_max)
        return allreduce_split(comm, vector);
    Visit visit(comm, announcement(Collective::Allreduce, 0, vector), &mine);
    if (Error error = combine_small(visit, vector, mine))
        return error;
    if (mine.size_bytes > 0)
        Combiner(vector).copy(combined_result(visit.round().room, mine.count, vector.type),
                              mine.receive, mine.count);
    return success;
}

Error reduce_scatter(Communicator &comm, const Vector &vector, Share share, Collective collective) {
    count_collective(comm);
    if (comm.context->span) [[unlikely]]
        return spanning_collective(comm, {collective, -1, vector, share});
    Contribution mine = contribution(vector);
    if (comm.inter || mine.size_bytes > small_reduction_bytes_max) {
        // Both groups of an inter-communicator must come to the same answer.
        const auto shares = static_cast<size_t>(std::max(comm.size, comm.remote_size));
        const bool short_shares = mine.size_bytes / range_bytes_min < shares;
        return short_shares ? reduce_scatter_by_ranges(comm, vector, share, collective)
                            : reduce_scatter_by_shares(comm, vector, share, collective);
    }
    Visit visit(comm, announcement(collective, 0, vector), &mine);
    if (Error error = combine_small(visit, vector, mine))
        return error;
    if (share.count > 0 && mine.size_bytes > 0) {
        const char *result = combined_result(visit.round().room, mine.count, vector.type);
        Combiner(vector).copy(result + share.first * vector.type.extent, mine.receive, share.count);
    }
    return success;
}

} // namespace thrum
