// Whether an operation can still be cancelled depends on whether it is in its mailbox's queue.
// Taking it out, under the mailbox's lock, excludes that anything matches it.
#include "pt2pt/cancel.h"

#include "check/causality.h"
#include "comm/process.h"
#include "comm/span.h"
#include "pt2pt/recorded_choice.h"
#include "pt2pt/remote_send.h"
#include "record/outcomes.h"

namespace thrum {
namespace {

// Takes a posted receive out of its queue. Returns false if something has matched it.
bool take_out(ReceiveRequest &request) {
    if (request.envelope.source == MPI_PROC_NULL)
        return false;
    Mailbox &mailbox = request.comm->process->mailbox;
    LockGuard guard(mailbox.lock);
    if (!request.posted())
        return false;
    mailbox.posted.remove(request);
    settle_cancelled_receive(request);
    return true;
}

// Cancels a receive, unless a message has matched it, or in a replay had done so in the recorded
// run: then it comes. Returns whether the receive is cancelled.
bool cancel_receive(ReceiveRequest &request) {
    Outcome outcome;
    if (replays_outcomes())
        outcome = replay_outcome(OutcomeKind::Complete, true);
    if (outcome.kind == OutcomeKind::Complete)
        return false;
    const bool taken = !request.completion.done() && take_out(request);
    if (outcome.kind == OutcomeKind::None && records_outcomes())
        record_find(OutcomeKind::Complete, !taken, 0);
    return taken;
}

// Takes a send out of its queue. Returns false if it will be or is complete. Only a rendezvous can
// be in the queue: eager sends are complete.
bool take_out(SendRequest &request) MAY_SUSPEND {
    if (!request.mailbox)
        return false;
    if (spans(request.message.envelope.context) && is_remote(process_of(*request.mailbox))) {
        cancel_at_process(request, process_of(*request.mailbox));
        return false; // the answer completes it, as cancelled or not
    }
    LockGuard guard(request.mailbox->lock);
    if (!request.message.queued())
        return false;
    request.mailbox->unexpected.remove(request.message);
    if (tracks_causality()) [[unlikely]]
        note_withdrawn(request.message, *request.mailbox);
    return true;
}

} // namespace

Error cancel(Request &request) {
    if (request.kind == RequestKind::Generalized) {
        auto &generalized = static_cast<GeneralizedRequest &>(request);
        return Error(generalized.cancel(generalized.extra_state, request.completion.done()));
    }
    if (request.kind == RequestKind::Operation)
        return static_cast<OperationRequest &>(request).cancel();
    if (!request.active)
        return success;
    bool taken = false;
    if (request.kind == RequestKind::Receive)
        taken = cancel_receive(static_cast<ReceiveRequest &>(request));
    else if (request.kind == RequestKind::Send && !request.completion.done())
        taken = take_out(static_cast<SendRequest &>(request));
    if (taken) {
        request.cancelled = true;
        request.completion.complete();
    }
    return success;
}

} // namespace thrum
