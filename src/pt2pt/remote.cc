// What travels between node processes:
//
//   sender                                        receiver's process
//   eager       Envelope + data ----------------> posted receive or unexpected queue
//   synchronous Envelope + data ----------------> the same; when it is matched:
//                       <------------------ Done
//   rendezvous  Envelope (memory) --------------> matched: fabric_read of the memory, then
//                       <------------------ Done
//   cancel      Cancel -------------------------> still unexpected: is taken out
//                       <------------------ Cancelled
//   departure           <------------------ AskDeparture
//               Departed ------------------> behind all messages of that rank (departure.h)
//
// Arrive functions run one at a time in a process (fabric/fabric.h), on any thread, and wait for
// nothing. Buffered and synchronous messages always ask for Done.
//
// A receiver whose mailbox is full tells the processes that send to it to Stop: their next messages
// to that rank come without data, until it tells them to Go (TMPI, section 3.4).
#include "pt2pt/remote.h"

#include "base/check.h"
#include "base/fabric_settings.h"
#include "base/list.h"
#include "comm/process.h"
#include "comm/span.h"
#include "datatype/predefined.h"
#include "pt2pt/buffered.h"
#include "pt2pt/departure.h"
#include "pt2pt/lost.h"
#include "pt2pt/packet_queue.h"
#include "pt2pt/payload_pool.h"
#include "pt2pt/probe.h"
#include "pt2pt/record.h"
#include "wireup/wireup.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace thrum {

std::atomic<int> full_mailboxes{0};

namespace {

constexpr int packet_mailbox_number = -1; // as a destination: the process itself
constexpr size_t fetched_piece_bytes = 256 << 10;

// Of an eager message for which nobody waits only the start travels, up to `dest`: with up to 32
// bytes of data it takes one cache line of a ring.
struct EnvelopeHeader {
    Envelope envelope;
    int dest; // world rank
    uint64_t size_bytes;
    uint64_t sender; // RemoteSend that waits for an answer; 0: nobody does
    uint32_t serial;
    uint32_t data_came_along;
    RemoteMemory memory;
};

static_assert(sizeof(EnvelopeHeader) <= header_bytes_max);
constexpr size_t short_header_bytes = offsetof(EnvelopeHeader, size_bytes);
static_assert(short_header_bytes == 16);

EnvelopeHeader header_of(const Arrival &arrival) {
    EnvelopeHeader header;
    if (arrival.header_bytes == short_header_bytes) {
        std::memcpy(static_cast<void *>(&header), arrival.header, short_header_bytes);
        header.size_bytes = arrival.payload_bytes;
        header.sender = 0;
        header.serial = 0;
        header.data_came_along = 1;
        header.memory = {};
        return header;
    }
    CHECK(arrival.header_bytes == sizeof header);
    std::memcpy(&header, arrival.header, sizeof header);
    return header;
}

enum class Control : uint32_t {
    Done,
    Cancel,
    Cancelled,
    Stop,
    Go,
    Fault,
    Lost,
    AskDeparture,
    Departed,
};

struct ControlHeader {
    Control what;
    // Of the sender's part; Stop, Go: new_permission_number(); AskDeparture: a SendingModel.
    uint32_t serial;
    uint64_t sender;
    // Cancel, Stop, Go, AskDeparture: world rank; Fault: error class; Lost: node process
    int dest;
};

// The sender's part of a message that waits for an answer.
struct RemoteSend {
    SendRequest *request; // nullptr: a packet
    int process;          // that shall answer
    ListHook pending{};   // in pending_sends
    RemoteMemory memory{};
    bool exposed = false;
    void *packed = nullptr; // a copy of data with gaps
    void (*released)(void *) = nullptr;
    void *argument = nullptr;
};

// Those that wait for an answer.
struct PendingSends {
    SpinLock lock; // guards the list
    List<RemoteSend, &RemoteSend::pending> list;
};

PendingSends &pending_sends() {
    static auto *sends = new PendingSends; // never destroyed: messages come until the process ends
    return *sends;
}

void await_answer(RemoteSend &send) {
    LockGuard guard(pending_sends().lock);
    pending_sends().list.push_back(send);
}

uint32_t new_serial() {
    static std::atomic<uint32_t> next{1};
    return next.fetch_add(1, std::memory_order_relaxed);
}

void *allocate(size_t size_bytes) {
    void *memory = std::malloc(size_bytes ? size_bytes : 1);
    CHECK(memory, "out of memory for %zu bytes of a message from another process", size_bytes);
    return memory;
}

// What a rank elsewhere has said last, Stop or Go. Written by arrive functions.
struct Permission {
    std::atomic<bool> is_stopped{false};
    uint32_t number = 0;
};

// Of a Stop or a Go: they are sent without a lock, so a Go may come before the Stop that it takes
// back. The larger number counts. The mailbox is locked.
uint32_t new_permission_number() {
    static std::atomic<uint32_t> last{0};
    return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

// By world rank.
Permission *permissions() {
    static auto *all = new Permission[static_cast<size_t>(added_rank_end())]();
    return all;
}

// By world rank, of ranks here: the processes that were told to stop. Guarded by the mailbox's
// lock.
std::vector<int> &stopped_by(const Mailbox &mailbox) {
    static auto *lists = new std::vector<int>[static_cast<size_t>(added_rank_end())];
    return lists[process_of(const_cast<Mailbox &>(mailbox)).number];
}

bool is_stopped(const Process &receiver) {
    return permissions()[receiver.number].is_stopped.load(std::memory_order_relaxed);
}

int process_number(const Process &process) {
    return node_process_of(process.number);
}

// --- Out.

// The data in one piece, for the time of a send.
class Contiguous {
public:
    explicit Contiguous(const SourceData &data)
        : address_(data.buffer), packed_(data.dense() ? nullptr : allocate(data.size_bytes)) {
        if (packed_) {
            pack_all(data, packed_);
            address_ = packed_;
        }
    }

    ~Contiguous() { std::free(packed_); }

    Contiguous(const Contiguous &) = delete;
    Contiguous &operator=(const Contiguous &) = delete;

    const void *address() const { return address_; }

    void *release() { return std::exchange(packed_, nullptr); }

private:
    const void *address_;
    void *packed_;
};

// False: the process is lost.
bool send_with_data(int process, Channel channel, EnvelopeHeader &header,
                    const void *data) MAY_SUSPEND {
    header.data_came_along = 1;
    iovec part{const_cast<void *>(data), header.size_bytes};
    const bool is_short = !header.sender && header.dest != packet_mailbox_number;
    return fabric_send(process, channel, MessageKind::Envelope, &header,
                       is_short ? short_header_bytes : sizeof header, &part, header.size_bytes > 0);
}

bool is_on_another_node(int process) {
    return node_of(process) != node_of(this_node_process());
}

// Whether the data of a message go with its envelope. Between nodes a few packets cost less than to
// be asked for the data.
bool data_go_along(int process, size_t size_bytes) {
    return size_bytes <= settings().eager_bytes_max ||
           (size_bytes <= fabric_settings().network_eager_bytes_max && is_on_another_node(process));
}

bool send_announcement(int process, Channel channel, EnvelopeHeader &header, RemoteSend &send,
                       const void *data) MAY_SUSPEND {
    send.memory = fabric_expose(data, header.size_bytes);
    send.exposed = true;
    header.memory = send.memory;
    // From here on the answer may come, and `send` go.
    return fabric_send(process, channel, MessageKind::Envelope, &header, sizeof header);
}

void send_control(int process, const ControlHeader &header) MAY_SUSPEND {
    (void)fabric_send(process, Channel::PointToPoint, MessageKind::PointToPointControl, &header,
                      sizeof header);
}

// The sender of a message whose data have been taken.
void answer_done(int source, uint64_t sender) MAY_SUSPEND {
    if (sender)
        send_control(source, {Control::Done, 0, sender, 0});
}

// --- In: a message has met its receive.

// Reads the data of a rendezvous: at once into a buffer without gaps, else piece by piece.
struct Fetch {
    int source;
    uint64_t sender;
    RemoteMemory memory;
    ReceiveRequest *request;
    size_t size_bytes; // to be read
    size_t offset = 0;
    size_t piece_bytes = 0;
    void *piece = nullptr; // of a receive buffer with gaps
    // A read may be done before fabric_read() returns: whoever comes second of the two goes on.
    std::atomic<int> steps{0};

    // acq_rel [fetch-1]: the second sees what the first has done.
    bool second_step() { return steps.fetch_add(1, std::memory_order_acq_rel) == 1; }
};

void lose_data(ReceiveRequest &request, int process) {
    if (!request.datatype) {
        auto &packet = static_cast<PacketReceive &>(request);
        packet.fault = MPI_ERR_PROC_ABORTED;
        packet.sentence = lost_process_sentence(process);
        packet.buffer = nullptr;
        return;
    }
    request.size_bytes = lost_message_bytes;
    request.tag = process;
}

void finish(Fetch &fetch) MAY_SUSPEND {
    answer_done(fetch.source, fetch.sender);
    std::free(fetch.piece);
    ReceiveRequest &request = *fetch.request;
    delete &fetch;
    request.completion.complete();
}

void run(Fetch &fetch) MAY_SUSPEND;

// The sender is lost, and its memory with it.
void note_lost_data(Fetch &fetch) {
    ReceiveRequest &request = *fetch.request;
    if (!request.datatype)
        std::free(request.buffer);
    fetch.offset = fetch.size_bytes;
    fetch.piece_bytes = 0;
    lose_data(request, fetch.source);
}

void piece_is_there(void *argument, bool ok) MAY_SUSPEND {
    auto &fetch = *static_cast<Fetch *>(argument);
    if (!ok)
        note_lost_data(fetch);
    if (fetch.second_step())
        run(fetch);
}

// Goes on after the piece at `offset`, if one has been read, until there is nothing left or a read
// takes its time.
void run(Fetch &fetch) {
    for (;;) {
        ReceiveRequest &request = *fetch.request;
        if (fetch.piece && fetch.piece_bytes > 0)
            unpack_bytes(fetch.piece, fetch.offset, fetch.piece_bytes, request.buffer,
                         request.count, *request.datatype);
        fetch.offset += fetch.piece_bytes;
        if (fetch.offset == fetch.size_bytes)
            return finish(fetch);
        const size_t left = fetch.size_bytes - fetch.offset;
        fetch.piece_bytes = fetch.piece ? std::min(left, fetched_piece_bytes) : left;
        void *into = fetch.piece ? fetch.piece : request.buffer;
        fetch.steps.store(0, std::memory_order_relaxed);
        fabric_read(fetch.source, fetch.memory, fetch.offset, into, fetch.piece_bytes,
                    piece_is_there, &fetch);
        if (!fetch.second_step())
            return; // piece_is_there() goes on
    }
}

size_t room_of(const ReceiveRequest &request, size_t size_bytes) {
    return request.datatype ? std::min(size_bytes, data_bytes(request.count, *request.datatype))
                            : size_bytes; // a packet: memory for it is allocated
}

void start_fetch(int source, uint64_t sender, const RemoteMemory &memory,
                 ReceiveRequest &request) MAY_SUSPEND {
    auto *fetch = new Fetch{source, sender, memory, &request, room_of(request, request.size_bytes)};
    if (!request.datatype)
        request.buffer = allocate(request.size_bytes);
    else if (!request.datatype->contiguous)
        fetch->piece = allocate(std::min(fetch->size_bytes, fetched_piece_bytes));
    run(*fetch);
}

// Data that are here: `owned` if they are from malloc and the callee's from now on.
void take_data(ReceiveRequest &request, void *data, size_t size_bytes, bool owned) {
    if (request.datatype) {
        transfer({data, 0, nullptr, size_bytes}, request.buffer, request.count, *request.datatype);
    } else if (owned) {
        request.buffer = data;
        return;
    } else {
        request.buffer = allocate(size_bytes);
        if (size_bytes > 0)
            std::memcpy(request.buffer, data, size_bytes);
    }
    if (owned)
        std::free(data);
}

void note_envelope(ReceiveRequest &request, const EnvelopeHeader &header) {
    request.source = header.envelope.source;
    request.tag = header.envelope.tag;
    request.size_bytes = header.size_bytes;
    if (header.dest == packet_mailbox_number)
        static_cast<PacketReceive &>(request).said = header.serial;
}

// --- In: an envelope has arrived.

void deliver_arrived(const EnvelopeHeader &header, const Arrival &arrival, PostedReceive &posted,
                     Mailbox &mailbox) MAY_SUSPEND {
    auto &request = static_cast<ReceiveRequest &>(posted);
    note_envelope(request, header);
    if (somebody_listens()) [[unlikely]]
        record_remote_delivery(header.envelope, header.size_bytes, mailbox);
    if (!header.data_came_along)
        return start_fetch(arrival.source, header.sender, header.memory, request);
    take_data(request, const_cast<void *>(arrival.payload), header.size_bytes, false);
    answer_done(arrival.source, header.sender);
    request.completion.complete();
}

// Notes that process `source` is to be stopped. Returns the number of this Stop; 0: it has been
// told. The mailbox is locked.
uint32_t note_stopped(Mailbox &mailbox, int source) {
    std::vector<int> &stopped = stopped_by(mailbox);
    if (std::find(stopped.begin(), stopped.end(), source) != stopped.end())
        return 0;
    if (stopped.empty())
        full_mailboxes.fetch_add(1, std::memory_order_relaxed);
    stopped.push_back(source);
    return new_permission_number();
}

void permission_arrived(const ControlHeader &header) {
    Permission &permission = permissions()[header.dest];
    if (header.serial <= permission.number)
        return;
    permission.number = header.serial;
    permission.is_stopped.store(header.what == Control::Stop, std::memory_order_relaxed);
}

// The caller holds the lock of the mailbox.
void queue_arrived(UnexpectedMessage &message, Mailbox &mailbox) {
    mailbox.buffered_bytes += buffered_bytes_of(message);
    mailbox.unexpected.insert(message);
    if (somebody_listens()) [[unlikely]]
        record_remote_unexpected(message, mailbox);
    if (mailbox.probers) [[unlikely]]
        wake_probers(mailbox, message.envelope);
}

// What has to be copied out of the fabric's memory before the lock is taken, as a receive may be
// posted meanwhile.
struct Kept {
    UnexpectedMessage::Form form = UnexpectedMessage::Form::Inline;
    void *data = nullptr;

    Kept(const EnvelopeHeader &header, const Arrival &arrival, Mailbox &mailbox) {
        const bool plain =
            header.data_came_along && !header.sender && header.dest != packet_mailbox_number;
        if (plain && header.size_bytes <= UnexpectedMessage::inline_bytes)
            return;
        form = plain ? UnexpectedMessage::Form::Buffered : UnexpectedMessage::Form::Remote;
        if (plain) {
            data = take_payload(mailbox, header.size_bytes);
            std::memcpy(data, arrival.payload, header.size_bytes);
            return;
        }
        auto *kept = new RemoteArrival{arrival.source, header.serial, header.sender,
                                       header.memory,  nullptr,       header.size_bytes};
        if (header.data_came_along) {
            kept->data = allocate(header.size_bytes);
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

void envelope_arrived(void *, const Arrival &arrival) MAY_SUSPEND {
    const EnvelopeHeader header = header_of(arrival);
    Mailbox &mailbox =
        header.dest == packet_mailbox_number ? packet_mailbox() : process_at(header.dest).mailbox;
    mailbox.lock.lock();
    PostedReceive *posted = mailbox.posted.match(header.envelope);
    mailbox.lock.unlock();
    if (posted)
        return deliver_arrived(header, arrival, *posted, mailbox);
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
    if (kept.form == UnexpectedMessage::Form::Inline && header.size_bytes > 0)
        std::memcpy(message->payload, arrival.payload, header.size_bytes);
    queue_arrived(*message, mailbox);
    const bool is_full = header.dest != packet_mailbox_number &&
                         mailbox.buffered_bytes >= mailbox.buffered_bytes_max;
    const uint32_t stop = is_full ? note_stopped(mailbox, arrival.source) : 0;
    mailbox.lock.unlock();
    if (stop)
        send_control(arrival.source, {Control::Stop, stop, 0, header.dest});
    if (header.dest == packet_mailbox_number)
        disturb_waiting_packet(header.envelope, header.serial);
}

// --- In: answers.

enum class SendEnd : uint8_t { Done, Cancelled, Lost };

// It does not wait for an answer any more.
void finish(RemoteSend *send, SendEnd end) {
    const bool cancelled = end == SendEnd::Cancelled;
    if (send->exposed)
        fabric_withdraw(send->memory);
    std::free(send->packed);
    if (SendRequest *request = send->request) {
        if (end == SendEnd::Lost) {
            request->remote_sender = lost_sender;
            request->remote_serial = static_cast<uint32_t>(send->process);
        }
        if (request->attached) {
            complete_attached_send(*request);
        } else {
            request->cancelled = cancelled;
            request->completion.complete();
        }
    } else {
        send->released(send->argument);
    }
    delete send;
}

void end_send(uint64_t sender, SendEnd end) {
    auto *send = reinterpret_cast<RemoteSend *>(sender);
    {
        LockGuard guard(pending_sends().lock);
        send->pending.unlink();
    }
    finish(send, end);
}

// The process has turned out to be lost while `send` was sent, if it has not been seen to since.
void fail_send(RemoteSend *send, int process) {
    {
        LockGuard guard(pending_sends().lock);
        RemoteSend *pending = pending_sends().list.front();
        while (pending && pending != send)
            pending = pending_sends().list.next(*pending);
        if (!pending || pending->process != process)
            return;
        send->pending.unlink();
    }
    finish(send, SendEnd::Lost);
}

void fail_sends(int process) {
    for (;;) {
        RemoteSend *send;
        {
            LockGuard guard(pending_sends().lock);
            send = pending_sends().list.front();
            while (send && send->process != process)
                send = pending_sends().list.next(*send);
            if (!send)
                return;
            send->pending.unlink();
        }
        finish(send, SendEnd::Lost);
    }
}

bool is_sent_by(const UnexpectedMessage &message, int source, const ControlHeader &header) {
    if (message.form != UnexpectedMessage::Form::Remote)
        return false;
    const auto &kept = *static_cast<const RemoteArrival *>(message.data);
    return kept.source == source && kept.sender == header.sender && kept.serial == header.serial;
}

// Whoever takes the message out of the queue has it: a receive, or this.
void cancel_arrived(int source, const ControlHeader &header) MAY_SUSPEND {
    Mailbox &mailbox = process_at(header.dest).mailbox;
    mailbox.lock.lock();
    UnexpectedMessage *message = mailbox.unexpected.first();
    while (message && !is_sent_by(*message, source, header))
        message = mailbox.unexpected.next(*message);
    if (!message) {
        mailbox.lock.unlock(); // Done is under way
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

void control_arrived(void *, const Arrival &arrival) MAY_SUSPEND {
    ControlHeader header;
    CHECK(arrival.header_bytes == sizeof header);
    std::memcpy(&header, arrival.header, sizeof header);
    switch (header.what) {
    case Control::Done:
        return end_send(header.sender, SendEnd::Done);
    case Control::Cancelled:
        return end_send(header.sender, SendEnd::Cancelled);
    case Control::Fault:
        return fail_packets_of(
            {static_cast<uint32_t>(header.sender), 0, static_cast<int>(header.serial)}, header.dest,
            {static_cast<const char *>(arrival.payload), arrival.payload_bytes});
    case Control::Lost:
        return fabric_lose(header.dest);
    case Control::Cancel:
        return cancel_arrived(arrival.source, header);
    case Control::Stop:
    case Control::Go:
        return permission_arrived(header);
    case Control::AskDeparture:
        return departure_is_asked_for(arrival.source, header.dest,
                                      static_cast<SendingModel>(header.serial), header.sender);
    case Control::Departed:
        return departure_is_told(header.sender);
    }
}

} // namespace

bool send_to_process(const Outgoing &out, const Process &receiver, Buffering buffering) {
    if (buffering == Buffering::No || is_stopped(receiver) ||
        (buffering == Buffering::BetweenNodes && !is_on_another_node(process_number(receiver))))
        return false;
    Contiguous data(out.data);
    EnvelopeHeader header{out.envelope, receiver.number, out.data.size_bytes, 0, 0, 0, {}};
    if (somebody_listens()) [[unlikely]]
        record_remote_send(out.envelope, out.data.size_bytes, receiver.number, false);
    return send_with_data(process_number(receiver), Channel::PointToPoint, header, data.address());
}

void leave_envelope_at_process(SendRequest &request, const Process &receiver) {
    const int process = process_number(receiver);
    auto *send = new RemoteSend{.request = &request, .process = process};
    const SourceData source{request.buffer, request.count, request.datatype, request.size_bytes};
    EnvelopeHeader header{request.message.envelope,
                          receiver.number,
                          request.size_bytes,
                          reinterpret_cast<uint64_t>(send),
                          new_serial(),
                          0,
                          {}};
    request.remote_sender = header.sender;
    request.remote_serial = header.serial;
    if (somebody_listens()) [[unlikely]]
        record_remote_send(header.envelope, header.size_bytes, receiver.number, true);
    Contiguous data(source);
    const bool stopped = is_stopped(receiver) && source.size_bytes > 0;
    await_answer(*send);
    bool sent;
    if (data_go_along(process, source.size_bytes) && !stopped) {
        sent = send_with_data(process, Channel::PointToPoint, header, data.address());
    } else {
        send->packed = data.release();
        sent = send_announcement(process, Channel::PointToPoint, header, *send, data.address());
    }
    if (!sent)
        fail_send(send, process);
}

void ask_for_departure(const Process &sender, SendingModel model, uint64_t question) {
    send_control(process_number(sender),
                 {Control::AskDeparture, static_cast<uint32_t>(model), question, sender.number});
}

void tell_departure(int process, uint64_t question) {
    send_control(process, {Control::Departed, 0, question, 0});
}

void cancel_at_process(SendRequest &request, const Process &receiver) {
    send_control(process_number(receiver),
                 {Control::Cancel, request.remote_serial, request.remote_sender, receiver.number});
}

bool receive_arrival(RemoteArrival &arrival, ReceiveRequest &request) {
    const RemoteArrival taken = arrival;
    delete &arrival;
    if (!taken.data) {
        start_fetch(taken.source, taken.sender, taken.memory, request);
        return false;
    }
    take_data(request, taken.data, taken.size_bytes, true);
    answer_done(taken.source, taken.sender);
    return true;
}

void admit_processes(Mailbox &mailbox) {
    std::vector<int> stopped;
    mailbox.lock.lock();
    if (mailbox.buffered_bytes <= mailbox.buffered_bytes_max / 2)
        stopped.swap(stopped_by(mailbox));
    const uint32_t go = new_permission_number();
    mailbox.lock.unlock();
    if (stopped.empty())
        return;
    full_mailboxes.fetch_sub(1, std::memory_order_relaxed);
    for (int process : stopped)
        send_control(process, {Control::Go, go, 0, process_of(mailbox).number});
}

void begin_remote_messages() {
    set_arrive_function(MessageKind::Envelope, envelope_arrived);
    set_arrive_function(MessageKind::PointToPointControl, control_arrived);
}

void send_packet(int process, const Envelope &envelope, uint32_t said, const void *data,
                 size_t size_bytes, void (*released)(void *argument), void *argument) {
    EnvelopeHeader header{envelope, packet_mailbox_number, size_bytes, 0, said, 0, {}};
    if (data_go_along(process, size_bytes)) {
        (void)send_with_data(process, Channel::Collective, header, data);
        released(argument);
        return;
    }
    auto *send = new RemoteSend{.request = nullptr, .process = process};
    send->released = released;
    send->argument = argument;
    header.sender = reinterpret_cast<uint64_t>(send);
    await_answer(*send);
    if (!send_announcement(process, Channel::Collective, header, *send, data))
        fail_send(send, process);
}

void send_fault(int process, const Envelope &envelope, int fault, const std::string &sentence) {
    const ControlHeader header{Control::Fault, static_cast<uint32_t>(envelope.tag),
                               envelope.context, fault};
    iovec part{const_cast<char *>(sentence.data()), sentence.size()};
    (void)fabric_send(process, Channel::PointToPoint, MessageKind::PointToPointControl, &header,
                      sizeof header, &part, 1);
}

void fail_messages_of(int process) {
    fail_sends(process);
    fail_packets_with(process);
}

// Those of the same node see it themselves. Everybody who hears of it tells those at the distances
// 1, 2, 4...: so all do, also if some of them are lost, too.
void tell_other_nodes_of_loss(int process) {
    const int count = node_process_count();
    if (origin() || process >= count) // our launcher tells of these, and tells these
        return;
    for (int distance = 1; distance < count; distance *= 2)
        if (int other = (this_node_process() + distance) % count;
            node_of(other) != node_of(process))
            send_control(other, {Control::Lost, 0, 0, process});
}

PacketReceive::PacketReceive(const Envelope &wanted, const ProcessMap &of_operation,
                             uint32_t of_all)
    : ReceiveRequest(wanted, nullptr, 0, *find_datatype(MPI_BYTE)), span(of_operation),
      expected(of_all) {
    datatype = nullptr; // of any size
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
    request.said = arrival.serial;
    mailbox.buffered_bytes -= buffered_bytes_of(*message);
    mailbox.messages.give_back(message);
    mailbox.lock.unlock();
    return receive_arrival(arrival, request);
}

} // namespace thrum
