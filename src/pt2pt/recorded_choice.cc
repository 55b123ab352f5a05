// Receives and probes (recorded_choice.h). Until it is matched, a recorded receive has the number
// of its word in the member `source`.
#include "pt2pt/recorded_choice.h"

#include "check/causality.h"

#include <utility>

namespace thrum {
namespace {

// No rank: a receive from it matches nothing.
constexpr int source_of_cancelled = INT32_MIN;

int source_of(uint32_t outcome) {
    if (outcome == unmatched_receive)
        return MPI_ANY_SOURCE;
    return outcome == cancelled_receive ? source_of_cancelled : static_cast<int>(outcome);
}

} // namespace

void detail::begin_open_receive(ReceiveRequest &request) {
    request.is_open = true;
    if (replays_outcomes())
        if (const Outcome outcome = replay_outcome(OutcomeKind::Receive);
            outcome.kind == OutcomeKind::Receive)
            request.envelope.source = source_of(outcome.value);
    if (!records_outcomes())
        return;
    request.source =
        static_cast<int>(record_outcome(OutcomeKind::Receive, static_cast<int>(unmatched_receive)));
    if (tracks_causality())
        note_posted(static_cast<const Request *>(&request));
}

void detail::settle_open_receive(ReceiveRequest &request, uint32_t source) {
    if (!records_outcomes())
        return;
    const auto word = static_cast<uint32_t>(std::exchange(request.source, MPI_ANY_SOURCE));
    settle_receive(word, source);
}

int begin_open_probe(int source) {
    if (source != MPI_ANY_SOURCE || !replays_outcomes()) [[likely]]
        return source;
    const Outcome outcome = replay_outcome(OutcomeKind::Probe);
    return outcome.kind == OutcomeKind::Probe ? source_of(outcome.value) : source;
}

void settle_open_probe(int wanted, int found) {
    if (wanted == MPI_ANY_SOURCE && records_outcomes()) [[unlikely]]
        record_outcome(OutcomeKind::Probe, found);
}

} // namespace thrum
