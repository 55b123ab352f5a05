// MPI_Reduce (section 6.9.1), MPI_Allreduce (section 6.9.6), MPI_Reduce_scatter(_block)
// (section 6.10).
//
// A small vector is combined on the way through the leaves (combine_small). A large one is split:
// all meet, then each of some members combines one range of elements, reading everybody's send
// buffer and writing where the result is wanted; all meet again. For MPI_Allreduce they then copy
// the other ranges from those members' receive buffers, and meet a third time.
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

// Everybody who contributes must count alike, or nobody may read its buffer.
Error check_counts(const Visit &visit, Contributors from, const Contribution &mine) {
    for (int i = 0; i < from.count; ++i) {
        size_t theirs = visit.argument<Contribution>(from.first + i).size_bytes;
        if (theirs != mine.size_bytes)
            return fail(MPI_ERR_COUNT,
                        "count: rank %d contributes %zu bytes, this rank expects %zu", i, theirs,
                        mine.size_bytes);
    }
    return success;
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
    visit.pass(Until::Complete);
    if (Error error = visit.verdict())
        return error;
    Contributors from = contributors(comm), members = local_members(comm);
    int workers = workers_for(mine.size_bytes, members.count);
    int worker = worker_of_rank(comm.rank, workers, members.count);
    Error error = check_counts(visit, from, mine);
    if (worker >= 0 && !error)
        combine_range(Published(visit), combiner, from, part_of(mine.count, worker, workers),
                      mine.receive);

    Visit second(comm, announcement(Collective::Allreduce, 2, vector), &mine);
    second.pass(Until::Complete);
    if (Error disagreement = second.verdict())
        return error ? error : disagreement;
    if (!error)
        collect(second, combiner, members, workers, mine);
    Error third = meet_again(comm, announcement(Collective::Allreduce, 3, vector));
    return error ? error : third;
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
    visit.pass(Until::Complete);
    if (Error error = visit.verdict())
        return error;
    Contributors all = local_members(comm);
    const Contribution &at_root = visit.argument<Contribution>(root);
    Error error = check_counts(visit, all, mine);
    if (!error)
        reduce_part(visit, combiner, all, all, at_root);
    Error second = meet_again(comm, announcement(Collective::Reduce, 2, vector, root));
    return error ? error : second;
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
        error = check_counts(visit, from, mine);
        if (!error)
            combine_range(Published(visit), Combiner(vector), from, {0, mine.count}, mine.receive);
    }
    Error second = meet_again(comm, announcement(Collective::Reduce, 2, vector));
    return error ? error : second;
}

Error reduce_scatter_direct(Communicator &comm, const Vector &vector, Share mine,
                            Collective collective) {
    Contribution argument = contribution(vector);
    Combiner combiner(vector);
    Visit visit(comm, announcement(collective, 1, vector), &argument);
    visit.pass(Until::Complete);
    if (Error error = visit.verdict())
        return error;
    Contributors from = contributors(comm);
    Error error = check_counts(visit, from, argument);
    // In place, the others still read what the result will overwrite: it waits beside.
    bool in_place = vector.send == vector.receive;
    VectorSpan span(mine.count, vector.type);
    std::unique_ptr<char[]> beside(in_place ? new char[static_cast<size_t>(span.size_bytes)]
                                            : nullptr);
    char *result = in_place ? beside.get() + span.origin : argument.receive;
    if (!error)
        combine_range(Published(visit), combiner, from, {mine.first, mine.first + mine.count},
                      result - mine.first * vector.type.extent);
    Error second = meet_again(comm, announcement(collective, 2, vector));
    if (in_place && !error)
        combiner.copy(result, argument.receive, mine.count);
    return error ? error : second;
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
    if (comm.inter || mine.size_bytes > small_reduction_bytes_max)
        return reduce_scatter_direct(comm, vector, share, collective);
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
