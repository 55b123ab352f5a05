// Probes search the unexpected queue. A blocking probe leaves a Prober in the mailbox, and searches
// again when a matching message has been queued: another receive may have taken it.
#include "pt2pt/probe.h"

#include "check/causality.h"
#include "comm/blame.h"
#include "comm/errhandler.h"
#include "comm/process.h"
#include "datatype/status.h"
#include "pt2pt/blocked.h"
#include "pt2pt/buffer_checks.h"
#include "pt2pt/free_choice.h"
#include "pt2pt/lost.h"
#include "pt2pt/probers.h"
#include "pt2pt/receive.h"
#include "pt2pt/recorded_choice.h"
#include "pt2pt/request_pool.h"
#include "rank/vain_polls.h"

#include <utility>

namespace thrum {
namespace {

enum class Then { Leave, Take }; // probe, mprobe

// Returns the message that a receive would get, or nullptr; fills in `status`. The program has
// asked for the source `wanted`, which a replay replaces. The caller holds the lock.
UnexpectedMessage *look(Mailbox &mailbox, const Envelope &envelope, int wanted, Then then,
                        MPI_Status *status) {
    UnexpectedMessage *message = find_message(mailbox.unexpected, envelope);
    if (!message)
        return nullptr;
    set_status(status, message->envelope.source, message->envelope.tag,
               static_cast<Count>(message->size_bytes));
    if (tracks_causality()) [[unlikely]]
        note_probed(*message, {envelope.context, wanted, envelope.tag}, then == Then::Take,
                    mailbox);
    if (then == Then::Take)
        mailbox.unexpected.remove(*message);
    else if (has_seed())
        message->mark_probed();
    return message;
}

// Looks until there is a message, and sets its source. Returns nullptr if the process of the source
// is lost.
UnexpectedMessage *wait_look(const Envelope &envelope, int wanted, Then then, Communicator &comm,
                             MPI_Status *status, int &source) MAY_SUSPEND {
    Mailbox &mailbox = comm.process->mailbox;
    for (;;) {
        mailbox.lock.lock();
        if (UnexpectedMessage *message = look(mailbox, envelope, wanted, then, status)) {
            source = message->envelope.source;
            mailbox.lock.unlock();
            return message;
        }
        if (lost_process_of(comm, envelope.source) != no_process) [[unlikely]] {
            mailbox.lock.unlock();
            return nullptr;
        }
        Prober prober{envelope, mailbox.probers};
        mailbox.probers = &prober;
        mailbox.lock.unlock();
        Blockage blockage{.kind = Blockage::Kind::Probe,
                          .peer = envelope.source,
                          .tag = envelope.tag,
                          .communicator = &comm,
                          .request = &prober};
        wait_blocked(prober.found, blockage);
    }
}

Envelope envelope_of(int source, int tag, const Communicator &comm) {
    return {comm.context->id, source, tag};
}

// Does what MPI_Probe or MPI_Mprobe does.
UnexpectedMessage *probe_open(int source, int tag, Then then, Communicator &comm,
                              MPI_Status *status) MAY_SUSPEND {
    int found = MPI_ANY_SOURCE;
    UnexpectedMessage *message = wait_look(envelope_of(begin_open_probe(source), tag, comm), source,
                                           then, comm, status, found);
    if (message)
        settle_open_probe(source, found);
    return message;
}

// Looks once.
UnexpectedMessage *try_look(const Envelope &envelope, Then then, Communicator &comm,
                            MPI_Status *status, int &source) {
    Mailbox &mailbox = comm.process->mailbox;
    LockGuard guard(mailbox.lock);
    if (finds_nothing_yet(mailbox.unexpected, envelope))
        return nullptr;
    UnexpectedMessage *message = look(mailbox, envelope, envelope.source, then, status);
    if (message)
        source = message->envelope.source;
    return message;
}

// Does what MPI_Iprobe or MPI_Improbe does.
UnexpectedMessage *try_open(Envelope envelope, Then then, Communicator &comm,
                            MPI_Status *status) MAY_SUSPEND {
    int found = MPI_ANY_SOURCE;
    if (replays_outcomes()) [[unlikely]] {
        const Outcome outcome = replay_outcome(OutcomeKind::Message, true);
        if (outcome.kind == OutcomeKind::Missed)
            return nullptr;
        if (outcome.kind == OutcomeKind::Message) {
            const int wanted = std::exchange(envelope.source, static_cast<int>(outcome.value));
            UnexpectedMessage *message = wait_look(envelope, wanted, then, comm, status, found);
            if (message && records_outcomes())
                record_outcome(OutcomeKind::Message, found);
            return message;
        }
    }
    UnexpectedMessage *message = try_look(envelope, then, comm, status, found);
    if (records_outcomes()) [[unlikely]]
        record_find(OutcomeKind::Message, message != nullptr, found);
    return message;
}

// Section 3.8.2: the handle also represents the communicator, for errors.
MPI_Message new_message(UnexpectedMessage *message, Communicator &comm) {
    retain(comm);
    return new Message{message, &comm};
}

// Takes the handle's content, frees it and receives the message. Returns what receive_now() would.
bool receive_and_free(MPI_Message *handle, ReceiveRequest &request) MAY_SUSPEND {
    Message message = **handle;
    delete *handle;
    *handle = MPI_MESSAGE_NULL;
    Mailbox &mailbox = message.comm->process->mailbox;
    mailbox.lock.lock();
    const bool complete = receive_message_unlock(*message.message, request, mailbox);
    release(*message.comm);
    return complete;
}

// Counts a probe that has found nothing, and lets others run, since the program may probe in a
// loop.
void yield_after_probe(int source, int tag, const Communicator &comm) MAY_SUSPEND {
    count_vain_poll([&] {
        return Blockage{
            .kind = Blockage::Kind::Probe, .peer = source, .tag = tag, .communicator = &comm};
    });
    yield();
}

} // namespace

Error probe(int source, int tag, Communicator &comm, MPI_Status *status) {
    if (source == MPI_PROC_NULL)
        set_status(status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
    else if (!probe_open(source, tag, Then::Leave, comm, status))
        return lost_process_error(lost_process_of(comm, source));
    return success;
}

Error iprobe(int source, int tag, Communicator &comm, bool &found, MPI_Status *status) {
    found = true;
    if (source == MPI_PROC_NULL) {
        set_status(status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
        return success;
    }
    found = try_open(envelope_of(source, tag, comm), Then::Leave, comm, status) != nullptr;
    if (found)
        count_progress();
    else
        yield_after_probe(source, tag, comm);
    return success;
}

Error mprobe(int source, int tag, Communicator &comm, MPI_Message *message, MPI_Status *status) {
    if (source == MPI_PROC_NULL) {
        set_status(status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
        *message = MPI_MESSAGE_NO_PROC;
        return success;
    }
    UnexpectedMessage *taken = probe_open(source, tag, Then::Take, comm, status);
    if (!taken)
        return lost_process_error(lost_process_of(comm, source));
    *message = new_message(taken, comm);
    return success;
}

Error improbe(int source, int tag, Communicator &comm, bool &found, MPI_Message *message,
              MPI_Status *status) {
    found = true;
    if (source == MPI_PROC_NULL)
        return mprobe(source, tag, comm, message, status);
    UnexpectedMessage *taken = try_open(envelope_of(source, tag, comm), Then::Take, comm, status);
    found = taken != nullptr;
    if (found) {
        *message = new_message(taken, comm);
        count_progress();
    } else {
        yield_after_probe(source, tag, comm);
    }
    return success;
}

Error mreceive(void *buffer, Count count, Datatype &datatype, MPI_Message *message,
               MPI_Status *status) {
    if (*message == MPI_MESSAGE_NO_PROC) {
        *message = MPI_MESSAGE_NULL;
        set_status(status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
        return success;
    }
    ReceiveRequest request({}, buffer, count, datatype);
    Communicator &comm = *(*message)->comm;
    retain(comm); // keeps it for the error
    if (!receive_and_free(message, request)) {
        Blockage blockage{.kind = Blockage::Kind::Receive,
                          .peer = request.source,
                          .tag = request.tag,
                          .communicator = &comm};
        wait_blocked(request.completion, blockage);
    }
    Error error = blame(comm, receive_result(request, status));
    release(comm);
    return error;
}

Error imreceive(void *buffer, Count count, Datatype &datatype, MPI_Message *message,
                MPI_Request *handle) {
    if (*message == MPI_MESSAGE_NO_PROC) {
        *message = MPI_MESSAGE_NULL;
        *handle = &no_process_request;
        return success;
    }
    Communicator &comm = *(*message)->comm;
    ReceiveRequest *request =
        new_receive_request({comm.context->id, 0, 0}, buffer, count, datatype, comm);
    watch_receive(*request);
    if (receive_and_free(message, *request)) {
        watch_written(*request);
        request->completion.set_done();
    }
    *handle = request;
    return success;
}

} // namespace thrum
