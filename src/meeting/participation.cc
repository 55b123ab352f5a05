#include "meeting/participation.h"

#include "check/causality.h"
#include "check/own_windows.h"
#include "comm/process.h"
#include "comm/tool_counts.h"
#include "meeting/announcement.h"
#include "meeting/meeting.h"

#include <mpi.h>

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

// Windows, and what ACLMPL does after its beginning, are ways to talk that are not followed.
void record_round(const Communicator &comm, uint64_t number, uint64_t what) {
    count_for_tools(*comm.process, collective_rounds);
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

} // namespace thrum
