#include "meeting/participation.h"

#include "check/causality.h"
#include "check/own_windows.h"
#include "comm/group.h"
#include "comm/process.h"
#include "comm/tool_counts.h"
#include "meeting/announcement.h"
#include "meeting/meeting.h"
#include "meeting/round_log.h"
#include "observe/event_log.h"

#include <mpi.h>

#include <algorithm>

namespace thrum {

PERFORMANCE_VARIABLE(
    collective_rounds, .category = "collectives",
    .description = "times that this rank has met the other members of a communicator; a collective "
                   "operation takes one to three, and so does creating a communicator",
    .verbosity = MPI_T_VERBOSITY_MPIDEV_BASIC);

namespace {

Spread spread_of(Collective collective) {
    switch (collective) {
    case Collective::Bcast:
    case Collective::Scatter:
    case Collective::Scatterv:
        return Spread::FromRoot;
    case Collective::Gather:
    case Collective::Gatherv:
    case Collective::Reduce:
        return Spread::ToRoot;
    case Collective::Scan:
    case Collective::Exscan:
        return Spread::FromLower;
    default:
        return Spread::Everybody;
    }
}

// The end of an epoch tells nothing that note_told_at_end_of_epoch() has not told.
bool ends_epoch(Collective collective) {
    return collective == Collective::WindowFence || collective == Collective::WindowEnd;
}

} // namespace

// Operations between two groups, whose roots are known to one of them only, count as if everybody
// learned from everybody.
Participation participation_of(const Communicator &comm, uint64_t what, const void *object,
                               uint64_t number) {
    const int root = Announcement::root(what);
    Spread spread = spread_of(Announcement::collective(what));
    if (comm.inter || (root < 0 && spread != Spread::FromLower))
        spread = Spread::Everybody;
    return {object, number, member_count(comm), member_of(comm), spread, root};
}

void log_round(const Communicator &comm, uint64_t number, int root, const void *sequence) {
    RankThread &self = current_rank_thread();
    observe::Event round;
    round.flags = static_cast<uint8_t>((comm.context->span ? observe::round_spans : 0) |
                                       (sequence ? observe::round_begins : 0));
    round.a = static_cast<uint32_t>(member_count(comm));
    round.tag = root;
    round.context = comm.context->id;
    round.b = number;
    round.c = sequence ? reinterpret_cast<uint64_t>(sequence) : static_cast<uint64_t>(comm.rank);
    observe::log_round(self.observed, self.rank->world_rank, round);
}

// Windows, and what ACLMPL does after its beginning, are ways to talk that are not followed.
void record_round(const Communicator &comm, uint64_t number, uint64_t what) {
    count_for_tools(*comm.process, collective_rounds);
    if (RankThread &self = current_rank_thread(); self.rank->record)
        observe::note_arrival(self.observed, *self.rank->record);
    if (observe::logs_events() && !comm.context->span)
        log_round(comm, number, Announcement::root(what), nullptr);
    const Collective collective = Announcement::collective(what);
    if (!ends_epoch(collective))
        note_told();
    if (collective == Collective::WindowCreation ||
        (collective > Collective::FileWriteOrderedBegin && collective < Collective::ContextId))
        lose_causality();
    if (collective > Collective::FileWriteOrderedBegin && collective < Collective::ContextId)
        lose_own_accesses();
    if (tracks_causality())
        note_round(participation_of(comm, what, comm.context, number));
}

namespace {

// Calls visit(rank) for the other members of the caller's group that are observed.
template <class Visit>
void for_each_observed(const Communicator &comm, Visit visit) {
    for (int i = 0; i < comm.size; ++i)
        if (const Rank *rank = i == comm.rank ? nullptr : comm.peer(i).rank; rank && rank->record)
            visit(*rank);
}

} // namespace

void record_publication(const Communicator &comm) {
    const RankThread &self = current_rank_thread();
    if (!self.rank->record)
        return;
    const observe::Completion completion = observe::completion_by(
        self.observed, self.rank->world_rank, self.rank->record, observe::Cause::CameLast);
    for_each_observed(
        comm, [&](const Rank &rank) { observe::note_completion(*rank.record, completion); });
}

void record_last_arrival(const Communicator &comm) {
    const RankThread &self = current_rank_thread();
    if (!self.rank->record)
        return;
    const uint64_t own_ticks = self.rank->record->arrival_ticks.load(std::memory_order_relaxed);
    uint64_t first_ticks = own_ticks, second_last_ticks = 0;
    for_each_observed(comm, [&](const Rank &rank) {
        const uint64_t ticks = rank.record->arrival_ticks.load(std::memory_order_relaxed);
        first_ticks = std::min(first_ticks, ticks);
        second_last_ticks = std::max(second_last_ticks, ticks);
    });
    record_publication(comm);
    if (self.observed.arrivals == 1 && comm.size > 1)
        observe::note_gathering(self.observed, *self.rank->record, comm.context->id, comm.size,
                                first_ticks, second_last_ticks);
}

} // namespace thrum
