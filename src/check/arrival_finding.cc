#include "check/arrival_finding.h"

#include "base/spinlock.h"
#include "check/causality.h"
#include "check/finding.h"
#include "comm/call_names.h"
#include "comm/warned_lines.h"
#include "datatype/signature.h"

#include <string>
#include <utility>
#include <vector>

namespace thrum {
namespace {

// What happens if the receive takes the other message.
enum class Consequence : uint8_t { None, AnotherReceiveWaits, NeverReceived, TooLong, OtherType };

Consequence consequence_of(const WildcardReceive &receive, const LoggedMessage &other) {
    if (!other.is_taken)
        return Consequence::NeverReceived;
    if (other.selection != receive.envelope)
        return Consequence::AnotherReceiveWaits;
    if (receive.is_probe)
        return Consequence::None;
    if (other.size_bytes > receive.room_bytes)
        return Consequence::TooLong;
    if (other.basic && receive.basic &&
        !types_match({other.basic, other.size_bytes}, {receive.basic, receive.room_bytes},
                     TypeRules::Usual))
        return Consequence::OtherType;
    return Consequence::None;
}

struct ArrivalFinding {
    int rank;
    WildcardReceive receive;
    LoggedMessage message, other;
    Consequence consequence;
};

// Findings about messages that are forgotten before the end.
struct EarlyFindings {
    static constexpr size_t count_max = 256;

    SpinLock lock; // guards the other member
    std::vector<ArrivalFinding> list;
};

EarlyFindings &early_findings() {
    static auto *findings = new EarlyFindings; // never destroyed: used to the end of the job
    return *findings;
}

// Adds what is wrong with an outcome. One finding for each line of a sender.
void find_in(const WildcardOutcome &outcome, std::vector<ArrivalFinding> &findings) {
    if (!outcome.receive.place.call_site)
        return;
    for (const LoggedMessage &other : outcome.alternatives) {
        const Consequence consequence = consequence_of(outcome.receive, other);
        if (consequence != Consequence::None)
            findings.push_back(
                {outcome.rank, outcome.receive, outcome.message, other, consequence});
    }
}

// A message that nobody has received yet may still be received.
void judge_early(const WildcardOutcome &outcome) {
    std::vector<ArrivalFinding> found;
    find_in(outcome, found);
    EarlyFindings &early = early_findings();
    LockGuard guard(early.lock);
    for (ArrivalFinding &finding : found)
        if (finding.consequence != Consequence::NeverReceived &&
            early.list.size() < EarlyFindings::count_max)
            early.list.push_back(std::move(finding));
}

std::string sender_text(const LoggedMessage &message) {
    return "rank " + std::to_string(message.sender_rank) + " (" + name_of_call(message.sender) +
           ", at " + site_of_call(message.sender) + ")";
}

std::string tag_text(int tag) {
    return tag == MPI_ANY_TAG ? "any tag" : "tag " + std::to_string(tag);
}

// Says which receive needs the other message.
std::string waiting_text(const WildcardReceive &receive, const LoggedMessage &other) {
    const Envelope &wanted = other.selection;
    std::string text =
        other.receiver.call_site ? name_of_call(other.receiver) : std::string("a receive");
    text += wanted.source == MPI_ANY_SOURCE ? " from MPI_ANY_SOURCE"
                                            : " from rank " + std::to_string(other.sender_rank);
    if (wanted.tag != receive.envelope.tag)
        text += ", " + tag_text(wanted.tag) + ",";
    text += " waits";
    return other.receiver.call_site ? text + ", at " + site_of_call(other.receiver) : text;
}

std::string consequence_text(const ArrivalFinding &finding) {
    const LoggedMessage &other = finding.other;
    switch (finding.consequence) {
    case Consequence::AnotherReceiveWaits:
        return ", for which " + waiting_text(finding.receive, other);
    case Consequence::NeverReceived:
        return ", which was never received";
    case Consequence::TooLong:
        return ", whose " + std::to_string(other.size_bytes) + " bytes exceed the " +
               std::to_string(finding.receive.room_bytes) + " of the receive";
    case Consequence::OtherType:
        return ", which has " + types_text({other.basic, other.size_bytes}, true) +
               ", but the receive expects " +
               types_text({finding.receive.basic, finding.receive.room_bytes}, false);
    case Consequence::None:
        break;
    }
    return "";
}

void report(const ArrivalFinding &finding) {
    const WildcardReceive &receive = finding.receive;
    if (!is_first_warning(PairMistake::Arrival, receive.place, finding.other.sender))
        return;
    const std::string verb = receive.is_probe ? "found" : "took";
    report_finding("rank " + std::to_string(finding.rank) + ": " + name_of_call(receive.place) +
                   " from MPI_ANY_SOURCE, at " + site_of_call(receive.place) + ", " + verb +
                   " the message of " + sender_text(finding.message) + " and could have " +
                   (receive.is_probe ? "found" : "taken") + " that of " +
                   sender_text(finding.other) + consequence_text(finding));
}

} // namespace

// Written before ranks run. A run of mpiexec --explore tracks causality without it.
static constinit bool checks_arrivals = false;

void start_arrival_check(int ranks) {
    checks_arrivals = true;
    track_causality(ranks, Remember::Recent);
    set_judge_of_outcomes(judge_early);
}

// What was found before causality was given up counts as little as what comes afterwards.
void report_arrival_findings() {
    if (!checks_arrivals || !tracks_causality())
        return;
    std::vector<ArrivalFinding> findings;
    {
        EarlyFindings &early = early_findings();
        LockGuard guard(early.lock);
        findings.swap(early.list);
    }
    for (const WildcardOutcome &outcome : wildcard_outcomes())
        find_in(outcome, findings);
    for (const ArrivalFinding &finding : findings)
        report(finding);
}

} // namespace thrum
