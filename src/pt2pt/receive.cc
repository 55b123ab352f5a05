// The way of a message in (MPI 5.0 sections 3.2.4, 3.7):
//
//   receive -> receive_now -> unexpected message found:  copy it (rendezvous: from the send buffer)
//                             none:  post the request; a sender copies into its buffer and
//                                    completes it
//           -> receive_result: status and truncation
//
// Payloads that are not in the queue's node are copied after the lock has been released: the
// message is out of the queue, so it belongs to this receive.
#include "pt2pt/receive.h"

#include "check/causality.h"
#include "check/overlap.h"
#include "comm/process.h"
#include "comm/span.h"
#include "datatype/status.h"
#include "pt2pt/blocked.h"
#include "pt2pt/buffer_checks.h"
#include "pt2pt/buffered.h"
#include "pt2pt/flow_control.h"
#include "pt2pt/free_choice.h"
#include "pt2pt/lost.h"
#include "pt2pt/message_data.h"
#include "pt2pt/message_record.h"
#include "pt2pt/payload_pool.h"
#include "pt2pt/rank_tray.h"
#include "pt2pt/recorded_choice.h"
#include "pt2pt/remote_receive.h"
#include "pt2pt/request_places.h"
#include "pt2pt/request_pool.h"
#include "pt2pt/type_check.h"

#include <new>

namespace thrum {
namespace {

void note_envelope(ReceiveRequest &request, const UnexpectedMessage &message) {
    settle_open_receive(request, message.envelope.source);
    request.source = message.envelope.source;
    request.tag = message.envelope.tag;
    request.size_bytes = message.size_bytes;
}

// Compares the type of a message with that of its receive. Returns the bytes to copy.
inline size_t compare(ReceiveRequest &request, const UnexpectedMessage &message,
                      const Datatype *type) {
    const size_t size_bytes = message.size_bytes;
    if (surely_accepts(request, type, size_bytes)) [[likely]]
        return size_bytes;
    const CallPlace sender{message.sender_function, message.call_site};
    request.size_bytes = compared_size(request, {message.envelope, type, size_bytes, sender});
    return fitting_bytes(request, size_bytes);
}

// Section 3.5: copies from the send buffer, then completes the send.
[[gnu::noinline]] void receive_rendezvous(SendRequest &send, size_t bytes,
                                          const ReceiveRequest &request) {
    transfer_bytes(outgoing_of(send).data, bytes, request.buffer, request.count, *request.datatype);
    if (somebody_listens()) [[unlikely]]
        record_completed_send(send);
    if (send.attached)
        complete_attached_send(send);
    else
        send.completion.complete();
}

// Frees the queue's node of an eager message. The caller holds the lock.
void forget(UnexpectedMessage &message, Mailbox &mailbox) {
    mailbox.buffered_bytes -= buffered_bytes_of(message);
    mailbox.messages.give_back(&message);
}

[[gnu::cold]] Error truncated(const Request &request, const std::string &sender) {
    return fail(
        MPI_ERR_TRUNCATE,
        "the message from rank %d with tag %d has %zu bytes, but the receive buffer has room "
        "for %zu (count %lld of a datatype of %lld bytes)%s",
        request.source, request.tag, request.size_bytes,
        data_bytes(request.count, *request.datatype), static_cast<long long>(request.count),
        static_cast<long long>(request.datatype->size_bytes), sender.c_str());
}

// Returns the result of a receive whose size does not fit: a truncation, the mark of a lost
// process, or that of a type difference, which leaves the true size.
[[gnu::cold]] Error unusual_result(Request &request, MPI_Status *status) {
    if (request.size_bytes == lost_message_bytes) {
        const NodeProcess process(request.tag);
        set_status(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0);
        return lost_process_error(process);
    }
    std::string sender;
    if (marks_difference(request.size_bytes)) {
        const Error error = take_difference(request, sender);
        const size_t room_bytes = data_bytes(request.count, *request.datatype);
        if (status != MPI_STATUS_IGNORE)
            set_status_bytes(*status, static_cast<Count>(std::min(request.size_bytes, room_bytes)));
        if (error || request.size_bytes <= room_bytes)
            return error;
    }
    return truncated(request, sender);
}

} // namespace

bool receive_message_unlock(UnexpectedMessage &message, ReceiveRequest &request, Mailbox &mailbox) {
    note_envelope(request, message);
    if (somebody_listens()) [[unlikely]]
        record_receive(message, request, mailbox);
    SourceData packed{message.payload, 0, nullptr, message.size_bytes, true};
    switch (message.form) {
    case UnexpectedMessage::Form::Inline: {
        const Datatype *type = message.type;
        const size_t bytes = compare(request, message, type);
        transfer_bytes(packed, bytes, request.buffer, request.count, *request.datatype);
        forget(message, mailbox);
        const UnexpectedMessage *next = mailbox.unexpected.first();
        mailbox.lock.unlock();
        if (next)
            __builtin_prefetch(next->payload); // its sender may have run on another core
        drop_type(type);
        return true;
    }
    case UnexpectedMessage::Form::Buffered: {
        const Datatype *type = message.type;
        const size_t bytes = compare(request, message, type);
        // The message goes back to its pool first, so that the copy is made without the lock.
        packed.buffer = message.data;
        forget(message, mailbox);
        mailbox.lock.unlock();
        transfer_bytes(packed, bytes, request.buffer, request.count, *request.datatype);
        drop_type(type);
        give_back_payload(mailbox, const_cast<void *>(packed.buffer), packed.size_bytes);
        return true;
    }
    case UnexpectedMessage::Form::Rendezvous: {
        // The message is part of the send request, so it does not go back to the pool.
        auto &send = *static_cast<SendRequest *>(message.data);
        mailbox.lock.unlock();
        const size_t bytes = compare(request, message, send.datatype);
        receive_rendezvous(send, bytes, request);
        return true;
    }
    case UnexpectedMessage::Form::Remote: {
        auto &arrival = *static_cast<RemoteArrival *>(message.data);
        forget(message, mailbox);
        mailbox.lock.unlock();
        return receive_arrival(arrival, request);
    }
    }
    return true;
}

namespace {

// Receives, and lets senders that were stopped continue (flow_control.h).
[[gnu::noinline]] bool receive_unexpected_unlock(UnexpectedMessage &message,
                                                 ReceiveRequest &request,
                                                 Mailbox &mailbox) MAY_SUSPEND {
    const bool complete = receive_message_unlock(message, request, mailbox);
    if (full_mailboxes.load(std::memory_order_relaxed) > 0) [[unlikely]]
        admit_processes(mailbox);
    return complete;
}

enum class Wait { Follows, Later };

// Does what receive_now() does, inlined into the calls that are worth it. Only if the wait for it
// follows, the tray is looked into now: otherwise what is there can meet the posted receive later.
template <Wait wait>
[[gnu::always_inline]] inline bool receive_at_once(ReceiveRequest &request,
                                                   Mailbox &mailbox) MAY_SUSPEND {
    begin_open_receive(request);
    mailbox.lock.lock_unsettled();
    if (mailbox.lock.wants_tray()) [[unlikely]]
        open_tray(mailbox);
    if (wait == Wait::Follows && mailbox.lock.tray()) [[unlikely]]
        if (receive_from_tray_unlock(request, mailbox))
            return true;
    if (!mailbox.unexpected.empty()) {
        if (UnexpectedMessage *message = find_message(mailbox.unexpected, request.envelope)) {
            mailbox.unexpected.remove(*message);
            return receive_unexpected_unlock(*message, request, mailbox);
        }
    }
    mailbox.posted.post(request);
    mailbox.lock.unlock();
    // A loss that was recorded before the request was posted has not found it.
    return spans(request.envelope.context) && has_lost_its_source(request, mailbox);
}

} // namespace

bool receive_now(ReceiveRequest &request, Mailbox &mailbox) {
    return receive_at_once<Wait::Later>(request, mailbox);
}

namespace {

// Notes what the rank learns from the message, and examines how it was received.
[[gnu::cold, gnu::noinline]] void learn_from(const Request &request) {
    const CallPlace place =
        request.place ? request_place(current_process(), request.place) : current_call();
    note_received(&request, place);
    check_elements(*request.datatype, request.count, place);
}

[[gnu::always_inline]] inline Error result_of_receive(Request &request, MPI_Status *status) {
    if (tracks_causality()) [[unlikely]]
        learn_from(request);
    const size_t room_bytes = data_bytes(request.count, *request.datatype);
    if (status != MPI_STATUS_IGNORE) {
        status->MPI_SOURCE = request.source;
        status->MPI_TAG = request.tag;
        set_status_bytes(*status, static_cast<Count>(std::min(request.size_bytes, room_bytes)));
        set_status_cancelled(*status, request.cancelled);
    }
    return request.size_bytes <= room_bytes ? success : unusual_result(request, status);
}

} // namespace

Error receive_result(Request &request, MPI_Status *status) {
    return result_of_receive(request, status);
}

Error receive(void *buffer, Count count, Datatype &datatype, int source, int tag,
              Communicator &comm, MPI_Status *status) {
    if (source == MPI_PROC_NULL) [[unlikely]] {
        set_status(status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
        return success;
    }
    ReceiveRequest request({comm.context->id, source, tag}, buffer, count, datatype);
    request.comm = &comm;
    Mailbox &mailbox = comm.process->mailbox;
    // If other ranks wait to run on this worker, the rank yields at once: it announces its
    // suspension before it posts, so that a completion finds it. With several processes it looks
    // first, when it has posted: what has arrived then needs no buffer.
    const bool spin = spans(comm.context->id) || should_spin(0);
    RankThread &self = current_rank_thread();
    if (!spin)
        request.completion.expect(self);
    if (receive_at_once<Wait::Follows>(request, mailbox)) {
        if (!spin)
            abandon_suspension(self);
    } else {
        Blockage blockage{.kind = Blockage::Kind::Receive,
                          .peer = source,
                          .tag = tag,
                          .communicator = &comm,
                          .request = static_cast<const Request *>(&request)};
        Waiting waiting(self, blockage);
        if (spin) {
            if (spans(comm.context->id))
                look_until_done(request.completion);
            request.completion.wait();
        } else {
            suspend(self);
        }
    }
    return result_of_receive(request, status);
}

Error ireceive(void *buffer, Count count, Datatype &datatype, int source, int tag,
               Communicator &comm, MPI_Request *handle) {
    if (source == MPI_PROC_NULL) [[unlikely]] {
        *handle = &no_process_request;
        return success;
    }
    ReceiveRequest *request =
        new_receive_request({comm.context->id, source, tag}, buffer, count, datatype, comm);
    *handle = request;
    watch_receive(*request);
    if (receive_at_once<Wait::Later>(*request, comm.process->mailbox)) {
        watch_written(*request);
        request->completion.set_done();
    }
    return success;
}

void start_receive(ReceiveRequest &request) {
    request.completion.reset();
    request.cancelled = false;
    reopen_receive(request);
    if (request.envelope.source == MPI_PROC_NULL) {
        request.source = MPI_PROC_NULL;
        request.tag = MPI_ANY_TAG;
        request.size_bytes = 0;
        request.completion.set_done();
        return;
    }
    watch_receive(request);
    if (receive_now(request, request.comm->process->mailbox)) {
        watch_written(request);
        request.completion.set_done();
    }
}

} // namespace thrum
