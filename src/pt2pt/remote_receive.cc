// What arrives is matched like a local send, under the lock of the receiver's mailbox. Arrive
// functions run one at a time, so no second envelope can overtake one whose data are being copied
// without the lock.
#include "pt2pt/remote_receive.h"

#include "comm/process.h"
#include "pt2pt/fetch.h"
#include "pt2pt/flow_control.h"
#include "pt2pt/message_record.h"
#include "pt2pt/payload_pool.h"
#include "pt2pt/probers.h"
#include "pt2pt/recorded_choice.h"
#include "pt2pt/type_check.h"

#include <cstdlib>
#include <cstring>
#include <new>

namespace thrum {
namespace {

void note_envelope(ReceiveRequest &request, const EnvelopeHeader &header) {
    settle_open_receive(request, header.envelope.source);
    request.source = header.envelope.source;
    request.tag = header.envelope.tag;
    request.size_bytes = header.size_bytes;
    if (header.dest == packet_mailbox_number)
        static_cast<PacketReceive &>(request).label = {
            header.serial, {static_cast<uint8_t>(header.types), header.types_hash}, header.origin};
}

// Compares the types, unless the message is a packet.
void note_types(ReceiveRequest &request, const EnvelopeHeader &header) {
    if (request.datatype)
        request.size_bytes = compared_remote_size(
            request, header.envelope, {static_cast<uint8_t>(header.types), header.types_hash},
            header.size_bytes);
}

// Gives an arrived message to the receive that it has matched.
void deliver_arrived(const EnvelopeHeader &header, const Arrival &arrival, PostedReceive &posted,
                     Mailbox &mailbox) MAY_SUSPEND {
    auto &request = static_cast<ReceiveRequest &>(posted);
    note_envelope(request, header);
    note_types(request, header);
    if (somebody_listens()) [[unlikely]] {
        record_remote_delivery(header.envelope, header.size_bytes, mailbox);
        log_remote_delivery(header, arrival.source, request);
    }
    if (!header.data_came_along)
        return start_fetch(arrival.source, header.sender, header.memory, request,
                           header.size_bytes);
    take_data(request, const_cast<void *>(arrival.payload), header.size_bytes, false);
    answer_done(arrival.source, header.sender);
    if (somebody_listens()) [[unlikely]]
        record_remote_end(request);
    request.completion.complete();
}

// Queues a message and wakes probers. The caller holds the lock of the mailbox.
void queue_arrived(UnexpectedMessage &message, const EnvelopeHeader &header, NodeProcess source,
                   Mailbox &mailbox) {
    mailbox.buffered_bytes += buffered_bytes_of(message);
    mailbox.unexpected.insert(message);
    if (somebody_listens()) [[unlikely]] {
        record_remote_unexpected(message, mailbox);
        log_remote_unexpected(message, header, source, mailbox);
    }
    if (mailbox.probers) [[unlikely]]
        wake_probers(mailbox, message.envelope);
}

// A copy of an envelope's data, in the form in which the message will wait. Made before the lock is
// taken, so a receive may be posted in between; then it is dropped.
struct Kept {
    UnexpectedMessage::Form form = UnexpectedMessage::Form::Inline;
    void *data = nullptr;

    Kept(const EnvelopeHeader &header, const Arrival &arrival, Mailbox &mailbox) {
        const bool plain = header.data_came_along && !header.sender &&
                           header.dest != packet_mailbox_number &&
                           header.types != RemoteTypes::several;
        if (plain && header.size_bytes <= UnexpectedMessage::inline_bytes)
            return;
        form = plain ? UnexpectedMessage::Form::Buffered : UnexpectedMessage::Form::Remote;
        if (plain) {
            data = take_payload(mailbox, header.size_bytes);
            std::memcpy(data, arrival.payload, header.size_bytes);
            return;
        }
        const RemoteTypes types{static_cast<uint8_t>(header.types), header.types_hash};
        auto *kept =
            new RemoteArrival{arrival.source, header.serial,     header.sender, header.memory,
                              nullptr,        header.size_bytes, types,         header.origin};
        if (header.data_came_along) {
            kept->data = allocate_for_message(header.size_bytes);
            if (header.size_bytes > 0)
                std::memcpy(kept->data, arrival.payload, header.size_bytes);
        }
        data = kept;
    }

    void drop(const EnvelopeHeader &header, Mailbox &mailbox) {
        if (form == UnexpectedMessage::Form::Buffered)
            give_back_payload(mailbox, data, header.size_bytes);
        if (form != UnexpectedMessage::Form::Remote)
            return;
        auto *kept = static_cast<RemoteArrival *>(data);
        std::free(kept->data);
        delete kept;
    }
};

// Returns whether the message is the one that the sender wants to cancel. The serial is compared,
// too, because the sender's part may have been freed and its address used again.
bool is_sent_by(const UnexpectedMessage &message, NodeProcess source, const ControlHeader &header) {
    if (message.form != UnexpectedMessage::Form::Remote)
        return false;
    const auto &kept = *static_cast<const RemoteArrival *>(message.data);
    return kept.source == source && kept.sender == header.sender && kept.serial == header.serial;
}

} // namespace

void envelope_arrived(void *, const Arrival &arrival) {
    const EnvelopeHeader header = header_of(arrival);
    Mailbox &mailbox =
        header.dest == packet_mailbox_number ? packet_mailbox() : process_at(header.dest).mailbox;
    mailbox.lock.lock();
    PostedReceive *posted = mailbox.posted.match(header.envelope);
    mailbox.lock.unlock();
    if (posted)
        return deliver_arrived(header, arrival, *posted, mailbox);
    // No receive is posted. The copy is made without the lock, so a receive may be posted in
    // between.
    Kept kept(header, arrival, mailbox);
    mailbox.lock.lock();
    posted = mailbox.posted.match(header.envelope);
    if (posted) {
        mailbox.lock.unlock();
        kept.drop(header, mailbox);
        return deliver_arrived(header, arrival, *posted, mailbox);
    }
    auto *message = new (mailbox.messages.take()) UnexpectedMessage;
    message->envelope = header.envelope;
    message->form = kept.form;
    message->size_bytes = header.size_bytes;
    message->data = kept.data;
    // A basic datatype is the same in all processes.
    if (kept.form != UnexpectedMessage::Form::Remote && header.types)
        message->type = &basic_of_number(static_cast<uint8_t>(header.types));
    if (kept.form == UnexpectedMessage::Form::Inline && header.size_bytes > 0)
        std::memcpy(message->payload, arrival.payload, header.size_bytes);
    queue_arrived(*message, header, arrival.source, mailbox);
    // From this limit on the sender's process only announces its messages (flow_control.h).
    const bool is_full = header.dest != packet_mailbox_number &&
                         mailbox.buffered_bytes >= mailbox.buffered_bytes_max;
    const uint32_t stop = is_full ? note_stopped(mailbox, arrival.source) : 0;
    mailbox.lock.unlock();
    if (stop)
        send_control(arrival.source, {Control::Stop, stop, 0, header.dest});
    if (header.dest == packet_mailbox_number)
        disturb_waiting_packet(header.envelope, {header.serial, {}, header.origin});
}

// Whoever takes the message out of the queue decides its fate: a receive, or this function.
void cancel_arrived(NodeProcess source, const ControlHeader &header) {
    Mailbox &mailbox = process_at(header.dest).mailbox;
    mailbox.lock.lock();
    UnexpectedMessage *message = mailbox.unexpected.first();
    while (message && !is_sent_by(*message, source, header))
        message = mailbox.unexpected.next(*message);
    if (!message) {
        mailbox.lock.unlock(); // it has matched: Done is on its way
        return;
    }
    mailbox.unexpected.remove(*message);
    auto *kept = static_cast<RemoteArrival *>(message->data);
    mailbox.buffered_bytes -= buffered_bytes_of(*message);
    mailbox.messages.give_back(message);
    mailbox.lock.unlock();
    std::free(kept->data);
    delete kept;
    send_control(source, {Control::Cancelled, header.serial, header.sender, 0});
}

bool receive_arrival(RemoteArrival &arrival, ReceiveRequest &request) {
    const RemoteArrival taken = arrival;
    delete &arrival;
    if (request.datatype)
        request.size_bytes = compared_remote_size(request, {0, request.source, request.tag},
                                                  taken.types, taken.size_bytes);
    // Only the envelope has arrived.
    if (!taken.data) {
        start_fetch(taken.source, taken.sender, taken.memory, request, taken.size_bytes);
        return false;
    }
    take_data(request, taken.data, taken.size_bytes, true);
    answer_done(taken.source, taken.sender);
    return true;
}

bool receive_packet(PacketReceive &request) {
    Mailbox &mailbox = packet_mailbox();
    mailbox.lock.lock();
    UnexpectedMessage *message = mailbox.unexpected.match(request.envelope);
    if (!message) {
        const bool failed = fails_at_once(request);
        if (!failed)
            mailbox.posted.post(request);
        mailbox.lock.unlock();
        return failed || fail_if_lost(request);
    }
    request.size_bytes = message->size_bytes;
    auto &arrival = *static_cast<RemoteArrival *>(message->data);
    request.label = label_of(arrival);
    mailbox.buffered_bytes -= buffered_bytes_of(*message);
    mailbox.messages.give_back(message);
    mailbox.lock.unlock();
    return receive_arrival(arrival, request);
}

} // namespace thrum
