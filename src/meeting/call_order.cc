#include "meeting/call_order.h"

#include "base/check.h"
#include "base/settings.h"
#include "comm/call_names.h"
#include "comm/warned_lines.h"
#include "meeting/announcement.h"

#include <mpi.h>

namespace thrum {
namespace {

// Returns the name of the last blocking operation that the member has called. The caller has not
// attended round number `rounds`, or is the member: so nobody has used the place of the member's
// last round again.
const char *last_blocking(const Meeting &meeting, const OrderedCall &call) {
    Leaf &leaf = meeting.leaves[Announcement::member(call.said) >> meeting.leaf_shift];
    LockGuard guard(leaf.lock);
    const uint64_t last = leaf.said[(call.rounds_before - 1) % open_rounds];
    return collective_name(Announcement::collective(last));
}

std::string place_text(const char *who, const CallPlace &place) {
    return place.call_site ? std::string(who) + ": " + site_of_call(place) : who;
}

} // namespace

Error judge_order(const Communicator &comm, const OrderDispute &dispute,
                  const std::string &reporter) {
    if (settings().check == Settings::check_is_off)
        return success;
    const OrderedMember &early = dispute.early, &late = dispute.late;
    if (!settings().is_strict() && !is_first_warning(PairMistake::Order, early.place, late.place))
        return success;
    const MemberName early_name(comm, early.member), late_name(comm, late.member);
    const std::string name = dispute.name;
    const std::string text = std::string("ranks disagree on the order of calls: ") +
                             late_name.text + " calls " + dispute.before + " before " + name +
                             ", " + early_name.text + " calls " + name + " first (" +
                             place_text(early_name.text, early.place) + "; " +
                             place_text(late_name.text, late.place) + ")";
    if (settings().is_strict())
        return fail(MPI_ERR_OTHER, "%s", text.c_str());
    report("warning: rank %d: %s: %s; allowed here, but not by the MPI standard (mpiexec --check "
           "makes it an error)",
           current_rank().world_rank, reporter.c_str(), text.c_str());
    return success;
}

Error compare_order(const Communicator &comm, const OrderedCall &other, uint64_t said) {
    if (settings().check == Settings::check_is_off)
        return success;
    const Meeting &meeting = *meetings.of(*comm.context).get();
    const CallPlace reporter = current_call();
    const OrderedCall mine{said, meeting.slots[comm.meeting_member].next_round, reporter};
    const bool other_is_early = other.rounds_before < mine.rounds_before;
    const OrderedCall &early = other_is_early ? other : mine, &late = other_is_early ? mine : other;
    const char *name = collective_name(Announcement::collective(said),
                                       static_cast<CallForm>(Announcement::phase(said)));
    return judge_order(comm,
                       {{Announcement::member(early.said), early.place},
                        {Announcement::member(late.said), late.place},
                        name,
                        last_blocking(meeting, late)},
                       name_of_call(reporter));
}

} // namespace thrum
