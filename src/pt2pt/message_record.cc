// The variables of point-to-point communication, and where they are counted.
#include "pt2pt/message_record.h"

#include "check/active_buffers.h"
#include "check/causality.h"
#include "check/held_sends.h"
#include "check/own_windows.h"
#include "comm/group.h"
#include "comm/process.h"
#include "observe/event_log.h"
#include "pt2pt/packet_queue.h"
#include "pt2pt/request_pool.h"

namespace thrum {
namespace {

// Returns read(mailbox) of the calling rank, under the mailbox's lock.
template <class Read>
uint64_t locked(Read read) {
    Mailbox &mailbox = current_process().mailbox;
    LockGuard guard(mailbox.lock);
    return static_cast<uint64_t>(read(mailbox));
}

// Counts the queue's entries that belong to the communicator.
template <class Queue>
uint64_t count_entries(Queue &queue, uint32_t context) {
    uint64_t count = 0;
    for (auto *entry = queue.first(); entry; entry = queue.next(*entry))
        count += entry->envelope.context == context;
    return count;
}

} // namespace

PERFORMANCE_VARIABLE(
    messages_sent, .category = "messages",
    .description = "messages that this rank has sent: matched, or queued at their receiver",
    .verbosity = MPI_T_VERBOSITY_USER_BASIC);
PERFORMANCE_VARIABLE(bytes_sent, .category = "messages",
                     .description = "bytes of data in the messages that this rank has sent",
                     .variable_class = MPI_T_PVAR_CLASS_AGGREGATE,
                     .verbosity = MPI_T_VERBOSITY_USER_BASIC);
PERFORMANCE_VARIABLE(messages_received, .category = "messages",
                     .description = "messages that this rank's receives have matched",
                     .verbosity = MPI_T_VERBOSITY_USER_BASIC);
PERFORMANCE_VARIABLE(
    bytes_received, .category = "messages",
    .description = "bytes of data in the messages that this rank's receives have matched",
    .variable_class = MPI_T_PVAR_CLASS_AGGREGATE, .verbosity = MPI_T_VERBOSITY_USER_BASIC);
PERFORMANCE_VARIABLE(comm_messages_sent, .category = "messages",
                     .description = "messages_sent, of one communicator",
                     .bind = MPI_T_BIND_MPI_COMM, .counted = &messages_sent);
PERFORMANCE_VARIABLE(comm_bytes_sent, .category = "messages",
                     .description = "bytes_sent, of one communicator",
                     .variable_class = MPI_T_PVAR_CLASS_AGGREGATE, .bind = MPI_T_BIND_MPI_COMM,
                     .counted = &bytes_sent);
PERFORMANCE_VARIABLE(comm_messages_received, .category = "messages",
                     .description = "messages_received, of one communicator",
                     .bind = MPI_T_BIND_MPI_COMM, .counted = &messages_received);
PERFORMANCE_VARIABLE(comm_bytes_received, .category = "messages",
                     .description = "bytes_received, of one communicator",
                     .variable_class = MPI_T_PVAR_CLASS_AGGREGATE, .bind = MPI_T_BIND_MPI_COMM,
                     .counted = &bytes_received);
PERFORMANCE_VARIABLE(expected_receives, .category = "queues",
                     .description = "receives that were posted when their message arrived");
PERFORMANCE_VARIABLE(unexpected_receives, .category = "queues",
                     .description = "receives that found their message waiting");
PERFORMANCE_VARIABLE(buffered_sends, .category = "protocols",
                     .description = "messages of this rank that arrived before their receive and "
                                    "that the library buffered (eager)");
PERFORMANCE_VARIABLE(
    rendezvous_sends, .category = "protocols",
    .description =
        "messages of this rank that arrived before their receive and waited for it, unbuffered");
PERFORMANCE_VARIABLE(
    posted_receives, .category = "queues",
    .description = "posted receives of this rank that no message has matched yet",
    .variable_class = MPI_T_PVAR_CLASS_LEVEL, .read = [](uint32_t) {
        return locked([](Mailbox &mailbox) { return mailbox.posted.size(); });
    });
PERFORMANCE_VARIABLE(
    comm_posted_receives, .category = "queues",
    .description = "posted_receives, of one communicator", .variable_class = MPI_T_PVAR_CLASS_LEVEL,
    .bind = MPI_T_BIND_MPI_COMM, .read = [](uint32_t context) {
        return locked([=](Mailbox &mailbox) { return count_entries(mailbox.posted, context); });
    });
PERFORMANCE_VARIABLE(
    unexpected_messages, .category = "queues",
    .description = "messages for this rank that no receive has matched yet",
    .variable_class = MPI_T_PVAR_CLASS_LEVEL, .read = [](uint32_t) {
        return locked([](Mailbox &mailbox) { return mailbox.unexpected.size(); });
    });
NAMED_PERFORMANCE_VARIABLE(
    unexpected_messages_watermark, "unexpected_messages", .category = "queues",
    .description = "largest number of messages for this rank that no receive had matched yet",
    .variable_class = MPI_T_PVAR_CLASS_HIGHWATERMARK, .read = [](uint32_t) {
        return locked([](Mailbox &mailbox) { return mailbox.unexpected.size(); });
    });
PERFORMANCE_VARIABLE(
    comm_unexpected_messages, .category = "queues",
    .description = "unexpected_messages, of one communicator",
    .variable_class = MPI_T_PVAR_CLASS_LEVEL, .bind = MPI_T_BIND_MPI_COMM,
    .read = [](uint32_t context) {
        return locked([=](Mailbox &mailbox) { return count_entries(mailbox.unexpected, context); });
    });
PERFORMANCE_VARIABLE(
    unexpected_bytes, .category = "queues",
    .description = "bytes of messages not yet received that the library buffers for this rank, "
                   "including the data to find them",
    .variable_class = MPI_T_PVAR_CLASS_LEVEL, .read = [](uint32_t) {
        return locked([](Mailbox &mailbox) { return mailbox.buffered_bytes; });
    });
NAMED_PERFORMANCE_VARIABLE(
    unexpected_bytes_watermark, "unexpected_bytes", .category = "queues",
    .description = "largest number of bytes of messages not yet received that the library has "
                   "buffered for this rank",
    .variable_class = MPI_T_PVAR_CLASS_HIGHWATERMARK, .read = [](uint32_t) {
        return locked([](Mailbox &mailbox) { return mailbox.buffered_bytes; });
    });
NAMED_PERFORMANCE_VARIABLE(
    unexpected_bytes_share, "unexpected_bytes", .category = "queues",
    .description = "unexpected_bytes as a fraction of the control variable buffered_limit",
    .variable_class = MPI_T_PVAR_CLASS_PERCENTAGE, .type = ValueType::Double,
    .read_double = [](uint32_t) {
        Mailbox &mailbox = current_process().mailbox;
        LockGuard guard(mailbox.lock);
        if (mailbox.buffered_bytes >= mailbox.buffered_bytes_max)
            return 1.0;
        return static_cast<double>(mailbox.buffered_bytes) /
               static_cast<double>(mailbox.buffered_bytes_max);
    });
PERFORMANCE_VARIABLE(
    requests, .category = "messages",
    .description = "requests of non-blocking and persistent sends and receives of this rank that "
                   "have not been freed",
    .variable_class = MPI_T_PVAR_CLASS_LEVEL,
    .read = [](uint32_t) { return static_cast<uint64_t>(requests_in_use(current_process())); });

namespace {

constexpr const char *message_elements[] = {"source", "tag", "bytes"};
constexpr Enumeration message_enumeration = {"message", message_elements, 3};
constexpr const char *sent_elements[] = {"dest", "tag", "bytes"};
constexpr Enumeration sent_enumeration = {"sent_message", sent_elements, 3};

} // namespace

EVENT_TYPE(message_unexpected, .category = "queues",
           .description = "A message of the communicator has arrived for which no receive was "
                          "posted: rank of its source, tag, bytes of data.",
           .bind = MPI_T_BIND_MPI_COMM, .elements = &message_enumeration,
           .types = {ValueType::Int, ValueType::Int, ValueType::Unsigned});
EVENT_TYPE(message_matched, .category = "queues",
           .description = "A message of the communicator has matched a posted receive: rank of its "
                          "source, tag, bytes of data.",
           .bind = MPI_T_BIND_MPI_COMM, .elements = &message_enumeration,
           .types = {ValueType::Int, ValueType::Int, ValueType::Unsigned});
EVENT_TYPE(rendezvous_started, .category = "protocols",
           .description = "This rank has sent a message over the communicator that waits for its "
                          "receive: rank of its destination in MPI_COMM_WORLD, tag, bytes of data.",
           .bind = MPI_T_BIND_MPI_COMM, .elements = &sent_enumeration,
           .types = {ValueType::Int, ValueType::Int, ValueType::Unsigned});

namespace {

Recorder *recorder_of_sender() {
    return current_process().mailbox.recorder.load(std::memory_order_acquire); // [recorder-1]
}

void count_sent(Recorder &recorder, uint32_t context, size_t size_bytes) {
    recorder.count_in(context, messages_sent);
    recorder.count_in(context, bytes_sent, size_bytes);
}

void count_received(Recorder &recorder, uint32_t context, size_t size_bytes) {
    recorder.count_in(context, messages_received);
    recorder.count_in(context, bytes_received, size_bytes);
}

Departure departure_of(const Outgoing &out) {
    const bool waits =
        out.mode != SendMode::Buffered && out.data.size_bytes > current_process().eager_bytes_max;
    return {out.envelope, out.data.size_bytes, out.data.datatype, out.mode == SendMode::Synchronous,
            waits};
}

Departure departure_of(const UnexpectedMessage &message) {
    if (message.form == UnexpectedMessage::Form::Rendezvous) {
        const auto &send = *static_cast<const SendRequest *>(message.data);
        Departure departure = departure_of(outgoing_of(send));
        departure.waits = !send.attached;
        return departure;
    }
    return {message.envelope, message.size_bytes, message.type, false, false};
}

// `posted`: the position of the receive in its queue; 0: it was not posted.
Acceptance acceptance_of(const ReceiveRequest &receive, uint64_t posted) {
    Envelope envelope = receive.envelope;
    if (receive.is_open) // a replay has given it a source
        envelope.source = MPI_ANY_SOURCE;
    return {static_cast<const Request *>(&receive), envelope,
            data_bytes(receive.count, *receive.datatype), receive.datatype, posted};
}

// How the sender counts its message. Matched: a receive was posted, so it was neither buffered nor
// waiting.
enum class Sent { Matched, Buffered, Waits };

// Records the sender's part; `dest` is a rank in MPI_COMM_WORLD. `id` is that of the message for
// the observer, 0 if it has none yet. Returns it.
uint64_t record_sender(const Envelope &envelope, size_t size_bytes, int dest, Sent sent,
                       uint64_t id = 0) {
    note_told();
    RankThread &self = current_rank_thread();
    if (self.rank->record)
        observe::note_message(self.observed, *self.rank->record, dest, size_bytes);
    if (observe::logs_events())
        id = observe::log_sent(self.observed, self.rank->world_rank,
                               {dest, envelope.tag, envelope.context, size_bytes, id});
    Recorder *recorder = recorder_of_sender();
    if (!recorder)
        return id;
    count_sent(*recorder, envelope.context, size_bytes);
    if (sent != Sent::Matched)
        recorder->count(sent == Sent::Waits ? rendezvous_sends : buffered_sends);
    if (sent == Sent::Waits)
        recorder->note(rendezvous_started_event, envelope.context, dest, envelope.tag,
                       static_cast<int64_t>(size_bytes));
    return id;
}

} // namespace

void record_remote_send(const Envelope &envelope, size_t size_bytes, int dest, bool waits,
                        uint32_t serial) {
    record_sender(envelope, size_bytes, dest, waits ? Sent::Waits : Sent::Buffered,
                  observe::message_id_between_processes(this_node_process().number(), serial));
}

void log_remote_delivery(const EnvelopeHeader &header, NodeProcess source,
                         const ReceiveRequest &receive) {
    if (!observe::logs_events() || header.dest == packet_mailbox_number || !receive.comm)
        return;
    const Envelope &envelope = header.envelope;
    observe::log_received(header.dest,
                          {receive.comm->peer(envelope.source).number, envelope.tag,
                           envelope.context, header.size_bytes,
                           observe::message_id_between_processes(source.number(), header.serial)});
}

void log_remote_unexpected(const UnexpectedMessage &message, const EnvelopeHeader &header,
                           NodeProcess source, const Mailbox &receiver) {
    if (!observe::logs_events() || header.dest == packet_mailbox_number)
        return;
    observe::remember_id(&message,
                         observe::message_id_between_processes(source.number(), header.serial));
    observe::log_queue(header.dest, receiver.unexpected.size());
}

// Returns the observer's record of the rank that owns the mailbox; nullptr: it is not observed, or
// the mailbox is that of packets, which no rank owns.
static observe::RankRecord *record_of_owner(Mailbox &mailbox) {
    return &mailbox == &packet_mailbox() ? nullptr : process_of(mailbox).rank->record;
}

void record_remote_delivery(const Envelope &envelope, size_t size_bytes, Mailbox &receiver) {
    if (observe::RankRecord *record = record_of_owner(receiver))
        observe::note_received(*record);
    if (Recorder *recorder = receiver.recorder.load(std::memory_order_acquire)) { // [recorder-1]
        count_received(*recorder, envelope.context, size_bytes);
        recorder->count(expected_receives);
        recorder->note(message_matched_event, envelope.context, envelope.source, envelope.tag,
                       static_cast<int64_t>(size_bytes));
    }
}

void record_remote_unexpected(const UnexpectedMessage &message, Mailbox &receiver) {
    const Envelope &envelope = message.envelope;
    if (observe::RankRecord *record = record_of_owner(receiver))
        observe::note_queue(*record, receiver.unexpected.size());
    if (Recorder *recorder = receiver.recorder.load(std::memory_order_acquire)) { // [recorder-1]
        recorder->raise_watermark(unexpected_messages_watermark, receiver.unexpected.size());
        recorder->raise_watermark(unexpected_bytes_watermark, receiver.buffered_bytes);
        recorder->note(message_unexpected_event, envelope.context, envelope.source, envelope.tag,
                       static_cast<int64_t>(message.size_bytes));
    }
}

// Notes for the observer that the calling rank's call completes an operation of `other`.
static void note_completion(const Rank &other, observe::Cause::Kind kind) {
    const RankThread &self = current_rank_thread();
    if (observe::wants_completion(other.record))
        observe::note_completion(
            *other.record,
            observe::completion_by(self.observed, self.rank->world_rank, self.rank->record, kind));
}

// Notes that a rank of another process completes an operation of `owner`: from where it calls is
// not known here.
static void note_remote_completion(const Rank &owner, int by, observe::Cause::Kind kind) {
    if (observe::wants_completion(owner.record))
        observe::note_completion(*owner.record,
                                 observe::completion_by(observe::ThreadState{}, by, nullptr, kind));
}

void record_remote_end(const ReceiveRequest &receive) {
    if (receive.comm && receive.datatype) // otherwise a packet of a collective operation
        note_remote_completion(*receive.comm->process->rank,
                               receive.comm->peer(receive.source).number, observe::Cause::Sent);
}

void record_remote_end(const SendRequest &send) {
    if (send.comm && send.mailbox)
        note_remote_completion(*send.comm->process->rank, process_of(*send.mailbox).number,
                               observe::Cause::Received);
}

void record_match(const ReceiveRequest &receive, Mailbox &receiver) {
    if (has_buffer_checks())
        note_arrival(process_of(receiver), &static_cast<const Request &>(receive));
}

void record_delivery(const Outgoing &out, const ReceiveRequest &receive, Mailbox &receiver) {
    if (has_buffer_checks())
        note_written(process_of(receiver), &static_cast<const Request &>(receive));
    if (tracks_causality())
        note_delivered(departure_of(out), acceptance_of(receive, receive.sequence), receiver);
    const Rank &owner = *process_of(receiver).rank;
    note_completion(owner, observe::Cause::Sent);
    const uint64_t id =
        record_sender(out.envelope, out.data.size_bytes, owner.world_rank, Sent::Matched);
    if (observe::logs_events())
        observe::log_received(owner.world_rank, {current_rank().world_rank, out.envelope.tag,
                                                 out.envelope.context, out.data.size_bytes, id});
    record_remote_delivery(out.envelope, out.data.size_bytes, receiver);
}

void record_unexpected(const UnexpectedMessage &message, Mailbox &receiver) {
    const bool waits = message.form == UnexpectedMessage::Form::Rendezvous;
    if (tracks_causality())
        note_queued(message, departure_of(message), receiver);
    const Rank &owner = *process_of(receiver).rank;
    const uint64_t id = record_sender(message.envelope, message.size_bytes, owner.world_rank,
                                      waits ? Sent::Waits : Sent::Buffered);
    if (observe::logs_events()) {
        observe::remember_id(&message, id);
        observe::log_queue(owner.world_rank, receiver.unexpected.size());
    }
    record_remote_unexpected(message, receiver);
}

void record_completed_send(const SendRequest &send) {
    if (send.comm) // otherwise it is in an attached buffer, and nobody waits for it
        note_completion(*send.comm->process->rank, observe::Cause::Received);
}

// Notes that the message leaves the unexpected queue for this receive.
static void log_taken(const UnexpectedMessage &message, const ReceiveRequest &receive,
                      Mailbox &mailbox) {
    const Envelope &envelope = message.envelope;
    const uint64_t id = observe::remembered_id(&message);
    const bool is_remote = (id & observe::between_processes) != 0;
    if (id == 0 || (is_remote && !receive.comm)) // a packet
        return;
    const int source =
        is_remote ? receive.comm->peer(envelope.source).number : static_cast<int>(id >> 32);
    const int rank = process_of(mailbox).number;
    observe::log_received(rank, {source, envelope.tag, envelope.context, message.size_bytes, id});
    observe::log_queue(rank, mailbox.unexpected.size());
}

void record_receive(const UnexpectedMessage &message, const ReceiveRequest &receive,
                    Mailbox &mailbox) {
    if (holds_sends())
        end_hold(&message);
    if (tracks_causality())
        note_taken(message, acceptance_of(receive, 0), mailbox);
    if (observe::RankRecord *record = record_of_owner(mailbox)) {
        observe::note_received(*record);
        observe::note_queue_taken(*record, mailbox.unexpected.size());
    }
    if (observe::logs_events())
        log_taken(message, receive, mailbox);
    if (Recorder *recorder = mailbox.recorder.load(std::memory_order_acquire)) { // [recorder-1]
        count_received(*recorder, message.envelope.context, message.size_bytes);
        recorder->count(unexpected_receives);
    }
}

} // namespace thrum
