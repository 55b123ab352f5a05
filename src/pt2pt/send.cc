// The way of a message out (MPI 5.0 sections 3.4 to 3.7). The sender matches:
//
//   send -> send_now -> posted receive found:   deliver: copies to its buffer, completes it
//                       tiny:                   payload goes into the unexpected message itself
//                       up to the eager limit:  send_buffered: payload goes into pooled memory
//        -> otherwise rendezvous:               leave_envelope: the receiver copies and completes
//                                               the send
//
// A receiver on another core that looks itself has opened its tray (rank_tray.h): there the
// sender leaves tiny messages, and the receiver matches.
//
// If a receiver falls behind, its senders yield every so many messages. Beyond a limit they wait
// for it as in rendezvous, instead of filling the machine's memory.
//
// Messages between two ranks do not overtake (section 3.5): each is matched or queued under the
// lock of the receiver's mailbox, or in the tray, in the order of the send calls.
#include "pt2pt/send.h"

#include "base/fabric_settings.h"
#include "check/causality.h"
#include "check/held_sends.h"
#include "comm/group.h"
#include "comm/process.h"
#include "comm/span.h"
#include "pt2pt/blocked.h"
#include "pt2pt/buffer_checks.h"
#include "pt2pt/buffered.h"
#include "pt2pt/lost.h"
#include "pt2pt/message_record.h"
#include "pt2pt/payload_pool.h"
#include "pt2pt/probers.h"
#include "pt2pt/rank_tray.h"
#include "pt2pt/recorded_choice.h"
#include "pt2pt/remote_send.h"
#include "pt2pt/request_pool.h"
#include "pt2pt/type_check.h"
#include "trace/setting_variables.h"

#include <new>

namespace thrum {
namespace {

// The number of queued messages after which a sender lets others run.
constexpr size_t messages_between_yields = 256; // a power of two

// Returns whether the receiver is in another node process. Usually that costs only a look at the
// context id.
inline bool goes_to_process(const Envelope &envelope, Mailbox &receiver) {
    return spans(envelope.context) && is_remote(process_of(receiver));
}

// Copies the data into the buffer of a receive that has just been taken from the posted queue, and
// completes it. The receiving rank probably runs next on this worker.
[[gnu::always_inline]] inline void deliver(const Outgoing &out, PostedReceive &posted,
                                           Mailbox &receiver) {
    auto &receive = static_cast<ReceiveRequest &>(posted);
    size_t size_bytes = out.data.size_bytes, copied_bytes = size_bytes;
    if (!surely_accepts(receive, out.data.datatype, size_bytes)) [[unlikely]] {
        copied_bytes = fitting_bytes(receive, size_bytes);
        size_bytes =
            compared_size(receive, {out.envelope, out.data.datatype, size_bytes, current_call()});
    }
    const bool is_recorded = somebody_listens();
    if (is_recorded) [[unlikely]]
        record_match(receive, receiver);
    transfer_bytes(out.data, copied_bytes, receive.buffer, receive.count, *receive.datatype);
    settle_open_receive(receive, out.envelope.source);
    receive.source = out.envelope.source;
    receive.tag = out.envelope.tag;
    receive.size_bytes = size_bytes;
    if (is_recorded) [[unlikely]]
        record_delivery(out, receive, receiver);
    receive.completion.complete_and_hand_over();
}

// Notes for reports which call sends a message that will wait.
inline void note_sender(UnexpectedMessage &message) {
    const CallPlace place = current_call();
    message.sender_function = static_cast<uint16_t>(place.function);
    message.call_site = place.call_site;
}

// Queues a message and wakes probers. The caller holds the lock of the mailbox.
inline void queue_message(UnexpectedMessage &message, Mailbox &receiver) {
    receiver.unexpected.insert(message);
    if (somebody_listens()) [[unlikely]]
        record_unexpected(message, receiver);
    if (receiver.probers) [[unlikely]]
        wake_probers(receiver, message.envelope);
}

// Makes a message in the mailbox's memory. The caller holds the lock.
UnexpectedMessage &new_message(const Outgoing &out, UnexpectedMessage::Form form,
                               Mailbox &receiver) {
    auto *message = new (receiver.messages.take()) UnexpectedMessage;
    message->envelope = out.envelope;
    message->form = form;
    message->size_bytes = out.data.size_bytes;
    note_sender(*message);
    receiver.buffered_bytes += buffered_bytes_of(*message);
    return *message;
}

// Releases the lock. A long queue probably means that the receiver had no chance to run.
inline void unlock_after_queueing(Mailbox &receiver) MAY_SUSPEND {
    const size_t length = receiver.unexpected.size();
    const auto *next = static_cast<const UnexpectedMessage *>(receiver.messages.next());
    receiver.lock.unlock();
    // The receiver has used that memory last. A sender of many messages has it here in time, and
    // holds the lock for a shorter while.
    if (next) {
        __builtin_prefetch(next, 1);
        __builtin_prefetch(next->payload, 1);
    }
    if (length % messages_between_yields == 0) [[unlikely]]
        yield();
}

// Leaves a copy in pooled memory. The payload is copied without the lock, so a receive may have
// been posted in between, and is looked for again.
[[gnu::noinline]] void send_buffered(const Outgoing &out, Mailbox &receiver) MAY_SUSPEND {
    void *payload = take_payload(receiver, out.data.size_bytes);
    pack_all(out.data, payload);
    receiver.lock.lock();
    if (PostedReceive *posted = receiver.posted.match(out.envelope)) {
        receiver.lock.unlock();
        deliver(out, *posted, receiver);
        give_back_payload(receiver, payload, out.data.size_bytes);
        return;
    }
    UnexpectedMessage &message = new_message(out, UnexpectedMessage::Form::Buffered, receiver);
    message.data = payload;
    message.type = keep_type(out.data.datatype);
    queue_message(message, receiver);
    unlock_after_queueing(receiver);
}

void fill_in(SendRequest &request, const Outgoing &out, SendMode mode, Mailbox &receiver) {
    request.kind = RequestKind::Send;
    request.buffer = const_cast<void *>(out.data.buffer);
    request.count = out.data.count;
    request.datatype = out.data.datatype;
    request.size_bytes = out.data.size_bytes;
    request.packed = out.data.packed;
    request.message.envelope = out.envelope;
    request.mailbox = &receiver;
    request.mode = mode;
}

// Does the blocking send of a message that no receive has asked for and that is not buffered. The
// request is on the stack: the receiver copies from the caller's buffer.
[[gnu::noinline]] Error send_rendezvous(const Outgoing &out, int dest, Communicator &comm,
                                        SendMode mode, Mailbox &receiver) MAY_SUSPEND {
    SendRequest request;
    fill_in(request, out, mode, receiver);
    request.comm = &comm;
    if (leave_envelope(request, receiver))
        return success;
    Blockage blockage{.kind = Blockage::Kind::Send,
                      .peer = dest,
                      .tag = out.envelope.tag,
                      .communicator = &comm,
                      .size_bytes = static_cast<int64_t>(out.data.size_bytes),
                      .request = static_cast<const Request *>(&request)};
    wait_blocked(request.completion, blockage);
    if (tracks_causality()) [[unlikely]]
        note_matched(request.message);
    return send_result(request);
}

inline Outgoing outgoing(const SourceData &data, int tag, const Communicator &comm,
                         SendMode mode = SendMode::Standard) {
    return {{comm.context->id, comm.rank, tag}, data, mode};
}

inline SourceData typed(const void *buffer, Count count, const Datatype &datatype) {
    return {buffer, count, &datatype, data_bytes(count, datatype)};
}

// Leaves the envelope of a non-blocking send with the receiver, with a request from the pool.
[[gnu::noinline]] void isend_rendezvous(const Outgoing &out, Datatype *datatype, int dest,
                                        Communicator &comm, SendMode mode,
                                        MPI_Request *request) MAY_SUSPEND {
    Mailbox &receiver = comm.peer(dest).mailbox;
    SendRequest *pending = new_send_request(comm, datatype);
    fill_in(*pending, out, mode, receiver);
    pending->source = dest; // for reports
    pending->tag = out.envelope.tag;
    if (leave_envelope(*pending, receiver))
        (void)free_request(*pending); // never fails for a send
    else
        *request = pending;
}

// Leaves a copy of a message that no receive waits for with the receiver, if that is allowed. The
// caller holds the lock of the mailbox; it is released. Returns false if nothing was left.
[[gnu::noinline]] bool leave_copy_unlock(const Outgoing &out, Mailbox &receiver,
                                         bool buffer_allowed) MAY_SUSPEND {
    buffer_allowed = buffer_allowed && receiver.buffered_bytes < receiver.buffered_bytes_max;
    if (holds_sends() && out.mode == SendMode::Standard && is_to_be_held(out.envelope)) [[unlikely]]
        buffer_allowed = false;
    if (buffer_allowed && out.data.size_bytes <= UnexpectedMessage::inline_bytes) {
        UnexpectedMessage &message = new_message(out, UnexpectedMessage::Form::Inline, receiver);
        message.type = keep_type(out.data.datatype);
        pack_all(out.data, message.payload);
        queue_message(message, receiver);
        unlock_after_queueing(receiver);
        return true;
    }
    receiver.lock.unlock();
    if (!buffer_allowed)
        return false;
    send_buffered(out, receiver);
    return true;
}

// Does what send_now() does, inlined into the calls that are worth it.
[[gnu::always_inline]] inline bool send_at_once(const Outgoing &out, int dest, Communicator &comm,
                                                Buffering buffering) MAY_SUSPEND {
    Mailbox &receiver = comm.peer(dest).mailbox;
    std::atomic<Tray *> &tray = comm.process->tray_of(dest);
    if (goes_to_process(out.envelope, receiver)) [[unlikely]]
        return send_to_process(out, process_of(receiver), buffering);
    if (tray.load(std::memory_order_relaxed) && buffering == Buffering::Yes &&
        leave_in_tray(out, receiver, tray)) [[unlikely]]
        return true;
    receiver.lock.lock();
    if (Tray *open = receiver.lock.tray()) [[unlikely]]
        tray.store(open, std::memory_order_relaxed);
    PostedReceive *posted = receiver.posted.match(out.envelope);
    if (!posted)
        return leave_copy_unlock(out, receiver, buffering == Buffering::Yes);
    // deliver() writes to this line, which is in the receiver's cache if the receiver is on another
    // core.
    __builtin_prefetch(static_cast<Request *>(static_cast<ReceiveRequest *>(posted)), 1);
    receiver.lock.unlock();
    deliver(out, *posted, receiver);
    return true;
}

} // namespace

SETTING_VARIABLE(
    eager_limit, [] { return static_cast<int64_t>(current_process().eager_bytes_max); },
    [](int64_t value) {
        if (value < 0)
            return false;
        current_process().eager_bytes_max = static_cast<size_t>(value);
        return true;
    });
SETTING_VARIABLE(
    buffered_limit,
    [] {
        Mailbox &mailbox = current_process().mailbox;
        LockGuard guard(mailbox.lock);
        return static_cast<int64_t>(mailbox.buffered_bytes_max);
    },
    [](int64_t value) {
        if (value < 0)
            return false;
        close_tray(current_process()); // the limit may be too low for one
        Mailbox &mailbox = current_process().mailbox;
        LockGuard guard(mailbox.lock);
        mailbox.buffered_bytes_max = static_cast<size_t>(value);
        return true;
    });

Buffering may_buffer(SendMode mode, size_t size_bytes, const Process &sender) {
    if (mode != SendMode::Standard && mode != SendMode::Ready)
        return Buffering::No;
    if (size_bytes <= sender.eager_bytes_max)
        return Buffering::Yes;
    return sender.eager_bytes_max > 0 && size_bytes <= fabric_settings().network_eager_bytes_max
               ? Buffering::BetweenNodes
               : Buffering::No;
}

bool send_now(const Outgoing &out, int dest, Communicator &comm, Buffering buffering) {
    return send_at_once(out, dest, comm, buffering);
}

// Returns whether the message would be buffered if its send was not held (check/held_sends.h).
static bool is_held(const SendRequest &request, Mailbox &receiver) {
    if (request.mode != SendMode::Standard || !is_to_be_held(request.message.envelope) ||
        may_buffer(request.mode, request.size_bytes, current_process()) != Buffering::Yes)
        return false;
    LockGuard guard(receiver.lock);
    return receiver.buffered_bytes < receiver.buffered_bytes_max;
}

// Leaves a copy of the message, which is received like any buffered one, and holds its send.
// Returns true if a receive has been posted meanwhile: then the send is done.
static bool leave_held_copy(SendRequest &request, Mailbox &receiver) {
    const Outgoing out = outgoing_of(request);
    const bool fits_inline = out.data.size_bytes <= UnexpectedMessage::inline_bytes;
    void *payload = fits_inline ? nullptr : take_payload(receiver, out.data.size_bytes);
    if (payload)
        pack_all(out.data, payload);
    receiver.lock.lock();
    if (PostedReceive *posted = receiver.posted.match(out.envelope)) {
        receiver.lock.unlock();
        deliver(out, *posted, receiver);
        if (payload)
            give_back_payload(receiver, payload, out.data.size_bytes);
        return true;
    }
    using Form = UnexpectedMessage::Form;
    UnexpectedMessage &message =
        new_message(out, fits_inline ? Form::Inline : Form::Buffered, receiver);
    message.type = keep_type(out.data.datatype);
    if (fits_inline)
        pack_all(out.data, message.payload);
    else
        message.data = payload;
    hold_send(message, process_of(receiver).world_rank(), request.completion);
    queue_message(message, receiver);
    receiver.lock.unlock();
    return false;
}

bool leave_envelope(SendRequest &request, Mailbox &receiver) {
    UnexpectedMessage &message = request.message;
    if (goes_to_process(message.envelope, receiver)) [[unlikely]] {
        leave_envelope_at_process(request, process_of(receiver));
        return false;
    }
    if (holds_sends() && is_held(request, receiver)) [[unlikely]]
        return leave_held_copy(request, receiver);
    receiver.lock.lock();
    if (PostedReceive *posted = receiver.posted.match(message.envelope)) {
        receiver.lock.unlock();
        deliver(outgoing_of(request), *posted, receiver);
        return true;
    }
    message.form = UnexpectedMessage::Form::Rendezvous;
    message.size_bytes = request.size_bytes;
    message.data = &request;
    note_sender(message);
    queue_message(message, receiver);
    receiver.lock.unlock();
    return false;
}

// Sends from a copy in the user's attached buffer. The call is complete when it returns; the
// receiver frees the copy.
static Error send_from_attached_buffer(const Outgoing &out, Mailbox &receiver,
                                       Communicator &comm) MAY_SUSPEND {
    SendRequest *request = nullptr;
    if (Error error = copy_to_attached_buffer(out, receiver, comm, request))
        return error;
    if (leave_envelope(*request, receiver))
        complete_attached_send(*request);
    return success;
}

Error send(const void *buffer, Count count, Datatype &datatype, int dest, int tag,
           Communicator &comm, SendMode mode) {
    if (dest == MPI_PROC_NULL) [[unlikely]]
        return success;
    const Outgoing out = outgoing(typed(buffer, count, datatype), tag, comm, mode);
    if (send_at_once(out, dest, comm, may_buffer(mode, out.data.size_bytes, *comm.process)))
        [[likely]]
        return success;
    Mailbox &receiver = comm.peer(dest).mailbox;
    if (mode == SendMode::Buffered)
        return send_from_attached_buffer(out, receiver, comm);
    return send_rendezvous(out, dest, comm, mode, receiver);
}

// Begins to watch the buffer of a non-blocking send. One that is complete already has no request of
// its own, and gets one.
[[gnu::cold, gnu::noinline]] static Error watch_isend(const Outgoing &out, Datatype &datatype,
                                                      Communicator &comm, MPI_Request *request) {
    if (*request == &sent_request) {
        SendRequest *complete = new_send_request(comm, &datatype);
        complete->completion.set_done();
        *request = complete;
    }
    watch_send(**request, out.data);
    return success;
}

Error isend(const void *buffer, Count count, Datatype &datatype, int dest, int tag,
            Communicator &comm, SendMode mode, MPI_Request *request) {
    *request = &sent_request;
    if (dest == MPI_PROC_NULL) [[unlikely]]
        return success;
    const Outgoing out = outgoing(typed(buffer, count, datatype), tag, comm, mode);
    if (send_at_once(out, dest, comm, may_buffer(mode, out.data.size_bytes, *comm.process)))
        [[likely]]
        return has_buffer_checks() ? watch_isend(out, datatype, comm, request) : success;
    if (mode == SendMode::Buffered) {
        if (Error error = send_from_attached_buffer(out, comm.peer(dest).mailbox, comm))
            return error;
    } else {
        isend_rendezvous(out, &datatype, dest, comm, mode, request);
    }
    return has_buffer_checks() ? watch_isend(out, datatype, comm, request) : success;
}

bool receive_is_posted(int dest, int tag, Communicator &comm) {
    if (dest == MPI_PROC_NULL)
        return true;
    const Envelope envelope{comm.context->id, comm.rank, tag};
    Mailbox &receiver = comm.peer(dest).mailbox;
    if (goes_to_process(envelope, receiver))
        return true;
    LockGuard guard(receiver.lock);
    return receiver.posted.accepts(envelope);
}

Error send_data(const SourceData &data, int dest, int tag, Communicator &comm) {
    if (dest == MPI_PROC_NULL)
        return success;
    const Outgoing out = outgoing(data, tag, comm);
    if (send_now(out, dest, comm, may_buffer(SendMode::Standard, data.size_bytes, *comm.process)))
        return success;
    return send_rendezvous(out, dest, comm, SendMode::Standard, comm.peer(dest).mailbox);
}

void isend_data(const SourceData &data, Datatype *datatype, int dest, int tag, Communicator &comm,
                MPI_Request *request) {
    *request = &sent_request;
    if (dest == MPI_PROC_NULL)
        return;
    const Outgoing out = outgoing(data, tag, comm);
    if (!send_now(out, dest, comm, may_buffer(SendMode::Standard, data.size_bytes, *comm.process)))
        isend_rendezvous(out, datatype, dest, comm, SendMode::Standard, request);
}

Error start_send(SendRequest &request) {
    request.cancelled = false;
    if (!request.mailbox) { // MPI_PROC_NULL
        request.completion.set_done();
        return success;
    }
    if (request.mode == SendMode::Buffered)
        if (Error error = check_attached_buffer(*request.comm, request.size_bytes))
            return error;
    const Outgoing out = outgoing_of(request);
    bool sent = send_now(out, request.source, *request.comm,
                         may_buffer(request.mode, request.size_bytes, *request.comm->process));
    if (!sent && request.mode == SendMode::Buffered) {
        if (Error error = send_from_attached_buffer(out, *request.mailbox, *request.comm))
            return error;
        sent = true;
    }
    watch_send(request, out.data);
    request.completion.reset(); // before the receiver may complete it
    if (sent || leave_envelope(request, *request.mailbox))
        request.completion.set_done();
    return success;
}

} // namespace thrum
