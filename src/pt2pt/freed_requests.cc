// Which freed requests are finished when, and in which order: sends first, as receives of other
// ranks may depend on them.
#include "pt2pt/freed_requests.h"

#include "pt2pt/blocked.h"
#include "pt2pt/buffered.h"
#include "pt2pt/departure.h"
#include "pt2pt/request_pool.h"

namespace thrum {
namespace {

// Which requests are to be finished: all, those of a communicator, or those of a model.
struct Concern {
    const Communicator *comm = nullptr;
    bool sessions_only = false;
    bool world_only = false;

    bool covers(const Request &request) const {
        if (comm)
            return request.comm == comm;
        const bool of_session = request.comm && request.comm->session;
        return of_session ? !world_only : !sessions_only;
    }
};

// Returns whether the request has a receive, which may never be matched.
bool receives(const Request &request) {
    return request.kind == RequestKind::Receive || request.kind == RequestKind::Pair;
}

// Waits for one request. Returns whether its receive was cancelled.
bool finish_abandoned(Request &request, bool disconnects) MAY_SUSPEND {
    bool cancelled = false;
    Request *receive = request.kind == RequestKind::Pair
                           ? static_cast<PairRequest &>(request).receive
                       : request.kind == RequestKind::Receive ? &request
                                                              : nullptr;
    if (receive && receive->kind == RequestKind::Receive && !receive->completion.done())
        cancelled = await_freed_receive(static_cast<ReceiveRequest &>(*receive),
                                        disconnects ? SendingModel::Disconnected
                                                    : sending_model_of(*receive->comm));
    if (!request.completion.done())
        wait_blocked(request.completion, {.kind = Blockage::Kind::Requests, .request_count = 1});
    return cancelled;
}

// Finishes the freed requests that `concern` covers, and that do or do not receive. Returns the
// number of cancelled receives.
int finish_freed(Process &process, const Concern &concern, bool receiving) MAY_SUSPEND {
    const auto is_wanted = [&](const Request &request) {
        return receives(request) == receiving && concern.covers(request);
    };
    int cancelled = 0;
    for (;;) {
        const AbandonedRequest abandoned = take_abandoned(process, is_wanted);
        if (!abandoned.request)
            return cancelled;
        cancelled += finish_abandoned(*abandoned.request, concern.comm != nullptr);
        free_abandoned(abandoned);
    }
}

int finish_all(Process &process, const Concern &concern) MAY_SUSPEND {
    (void)finish_freed(process, concern, false);
    return finish_freed(process, concern, true);
}

} // namespace

void finish_freed_sends(const Communicator &comm) {
    (void)finish_freed(*comm.process, {.comm = &comm}, false);
}

int finish_freed_receives(const Communicator &comm) {
    return finish_freed(*comm.process, {.comm = &comm}, true);
}

int finish_requests_of_sessions(Process &process, bool world_is_over) {
    depart(process, SendingModel::Sessions);
    return finish_all(process, {.sessions_only = !world_is_over});
}

int finish_requests_of_world(Process &process) {
    depart(process, SendingModel::World);
    finish_buffer(buffer_of(process));
    const bool has_sessions = process.sessions.load(std::memory_order_relaxed) > 0;
    const int cancelled = finish_all(process, {.world_only = has_sessions});
    if (!has_sessions)
        delete_request_pool(process);
    return cancelled;
}

} // namespace thrum
