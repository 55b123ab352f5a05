#include "pt2pt/buffer_checks.h"

#include "check/moment.h"

namespace thrum {
namespace {

// Calls end(owner) for all owners of uses: the buffers of a pair belong to it and to its parts.
template <class End>
void end_all(const Request &request, End end) {
    end(&request);
    if (request.kind != RequestKind::Pair)
        return;
    const auto &pair = static_cast<const PairRequest &>(request);
    end(pair.send);
    end(pair.receive);
}

} // namespace

void end_watch_of(const Request &request) {
    if (is_moment_due())
        pass_moment();
    end_all(request, [](const Request *owner) { end_uses(owner); });
}

void forget_watch_of(const Request &request) {
    end_all(request, [](const Request *owner) { forget_uses(owner); });
}

} // namespace thrum
