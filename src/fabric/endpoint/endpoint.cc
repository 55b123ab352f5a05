// The part of the fabric that all transports share (endpoint.h). Sending is under the lock of a
// way; taking in is under progress_lock_, which senders do not take.
#include "fabric/endpoint/endpoint.h"

#include "base/bytes.h"
#include "base/check.h"
#include "fiber/sanitizer.h"

namespace thrum {
namespace {

constinit thread_local bool taking_in = false;

// noinline: see task.h, current_task().
[[gnu::noinline]] void set_taking_in(bool value) {
    taking_in = value;
}

} // namespace

// The header of messages between endpoints.
struct Endpoint::InternalHeader {
    enum class What : uint8_t { ReadRequest, ReadData } what;
    uint64_t reading; // the reader's number for it
    uint64_t address;
    uint64_t bytes;
};

Endpoint::Endpoint(int process_count, NodeProcess this_process, int added_max)
    : process_count_(process_count), added_max_(added_max), this_process_(this_process),
      transport_of_(static_cast<size_t>(process_count + added_max)),
      ways_(static_cast<size_t>(process_count) * channel_count,
            static_cast<size_t>(process_count + added_max) * channel_count),
      incoming_(static_cast<size_t>(process_count) * channel_count,
                static_cast<size_t>(process_count + added_max) * channel_count) {}

Endpoint::~Endpoint() {
    for (size_t i = 0; i < ways_.count(); ++i)
        for (Outgoing *message = ways_[i].first; message;) {
            Outgoing *next = message->next;
            if (!message->sent)
                delete message;
            message = next;
        }
}

void Endpoint::set_transport_of_added(Transport &transport) {
    for (int i = 0; i < added_max_; ++i)
        transport_of_[static_cast<size_t>(process_count_ + i)] = &transport;
}

void Endpoint::set_transport(NodeProcess process, Transport &transport) {
    transport_of_[process.index()] = &transport;
    add_transport(transport);
}

void Endpoint::add_transport(Transport &transport) {
    for (Transport *known : transports_)
        if (known == &transport)
            return;
    transports_.push_back(&transport);
}

void Endpoint::set_arrive_function(MessageKind kind, ArriveFunction function, void *argument) {
    CHECK(static_cast<int>(kind) < message_kind_count);
    SleepingLock::Guard guard(progress_lock_);
    receivers_[static_cast<size_t>(kind)] = {function, argument};
}

bool Endpoint::is_taking_in() {
    return taking_in;
}

bool Endpoint::is_lost(NodeProcess process) {
    Way &way = ways_[process.index() * channel_count];
    LockGuard guard(way.lock);
    return way.lost;
}

// Lost processes are left out on both sides, so that sums over all living processes can agree.
FabricTraffic Endpoint::traffic() {
    FabricTraffic traffic;
    for (NodeProcess process : NodeProcesses(process_count_)) {
        if (process == this_process_)
            continue;
        if (is_lost(process)) {
            traffic.without_lost = true;
            continue;
        }
        for (int channel = 0; channel < channel_count; ++channel) {
            const size_t i = process.index() * channel_count + channel;
            traffic.sent += ways_[i].sent.load(std::memory_order_acquire);       // [traffic-1]
            traffic.taken += incoming_[i].taken.load(std::memory_order_acquire); // [traffic-1]
        }
    }
    for (const Transport *transport : transports_)
        traffic.reads |= transport->reads();
    return traffic;
}

// The short way: nothing is queued before the message, and it fits into one packet. So it is sent
// under the way's lock without a copy.
bool Endpoint::send(NodeProcess process, Channel channel, MessageKind kind, const void *header,
                    size_t header_bytes, const iovec *parts, int count, bool may_wait) {
    CHECK(process.index() < transport_of_.size() && process != this_process_, "process %d",
          process.number());
    sanitizer::message_leaves();
    CHECK(header_bytes <= header_bytes_max, "header of %zu bytes", header_bytes);
    Way &way = this->way(process, channel);
    Transport &transport = *transport_of_[process.index()];
    Scattered payload{parts, count, 0, bytes_of(parts, count)};
    PacketHead head{kind, true, true, static_cast<uint8_t>(header_bytes),
                    static_cast<uint32_t>(payload.bytes)};
    {
        LockGuard guard(way.lock);
        if (way.lost)
            return false;
        if (!way.first && payload.bytes <= transport.piece_bytes_max()) [[likely]] {
            SendResult result = transport.try_send(process, channel, {head, header, payload});
            if (result == SendResult::Sent) [[likely]]
                note_message(way.sent, kind);
            if (result != SendResult::NoRoom) [[likely]]
                return result == SendResult::Sent;
        }
    }
    return send_through_queue(process, channel, head, header, payload,
                              may_wait && current_task_or_null && !taking_in);
}

// A task that may wait keeps the message on its stack and is parked until it is sent. All others
// leave a copy on the heap.
bool Endpoint::send_through_queue(NodeProcess process, Channel channel, const PacketHead &head,
                                  const void *header, const Scattered &payload, bool wait) {
    Completion sent;
    Outgoing on_stack;
    Outgoing &message = wait ? on_stack : *new Outgoing;
    message.kind = head.kind;
    message.header_bytes = head.header_bytes;
    copy_bytes(message.header, header, head.header_bytes);
    if (wait) {
        message.sent = &sent;
        message.rest = payload;
    } else {
        message.copy.reset(new char[payload.bytes]);
        payload.copy_to(message.copy.get());
        message.part = {message.copy.get(), payload.bytes};
        message.rest = {&message.part, 1, 0, payload.bytes};
    }
    bool lost = !enqueue(process, channel, message);
    if (!wait)
        return !lost; // the message may be freed
    sent.wait();
    return !message.failed;
}

// Appends to the way's queue, and sends at once if possible. Returns false if the process is lost;
// then the message is finished.
bool Endpoint::enqueue(NodeProcess process, Channel channel, Outgoing &message) {
    Way &way = this->way(process, channel);
    TaskList awake;
    way.lock.lock();
    bool lost = way.lost;
    if (lost) {
        finish(message, false, awake);
    } else {
        queued_.fetch_add(1, std::memory_order_relaxed);
        note_message(way.sent, message.kind);
        (way.last ? way.last->next : way.first) = &message;
        way.last = &message;
        if (!way.listed) {
            way.listed = true;
            LockGuard guard(queue_lock_);
            ways_with_queue_.push_back(&way);
        }
        // From here on retry_all() finds the way, so no report of room is missed.
        retry(way, awake);
    }
    way.lock.unlock();
    make_all_runnable(awake);
    return !lost;
}

// Sends as much as there is room for. The caller holds the way's lock.
void Endpoint::retry(Way &way, TaskList &awake) {
    while (Outgoing *message = way.first) {
        SendResult result = send_some(way, *message);
        if (result == SendResult::NoRoom)
            return;
        way.first = message->next;
        if (!way.first)
            way.last = nullptr;
        finish(*message, result == SendResult::Sent, awake);
        queued_.fetch_sub(1, std::memory_order_release); // [queued-1]
    }
}

// Sends the message packet by packet, until it is complete or there is no room.
SendResult Endpoint::send_some(Way &way, Outgoing &message) {
    size_t number = ways_.index_of(way);
    const NodeProcess process(static_cast<int>(number / channel_count));
    auto channel = static_cast<Channel>(number % channel_count);
    Transport &transport = *transport_of_[process.index()];
    for (;;) {
        Scattered piece = message.rest;
        piece.bytes = std::min(piece.bytes, transport.piece_bytes_max());
        PacketHead head{message.kind, !message.started, piece.bytes == message.rest.bytes,
                        message.started ? uint8_t{0} : message.header_bytes,
                        static_cast<uint32_t>(piece.bytes)};
        SendResult result = transport.try_send(process, channel, {head, message.header, piece});
        if (result != SendResult::Sent || head.last)
            return result;
        message.started = true;
        message.rest.skip += piece.bytes;
        message.rest.bytes -= piece.bytes;
    }
}

void Endpoint::finish(Outgoing &message, bool ok, TaskList &awake) {
    message.failed = !ok;
    if (message.sent)
        message.sent->complete(awake); // the message may be freed after this
    else
        delete &message;
}

// Takes the whole list first: ways that become queued later are listed again by their senders.
void Endpoint::retry_all() {
    std::vector<Way *> ways;
    {
        LockGuard guard(queue_lock_);
        ways.swap(ways_with_queue_);
    }
    TaskList awake;
    for (Way *way : ways) {
        LockGuard guard(way->lock);
        retry(*way, awake);
        way->listed = way->first != nullptr;
        if (way->listed) {
            queue_lock_.lock(); // no guard, since the analysis knows only one at a time
            ways_with_queue_.push_back(way);
            queue_lock_.unlock();
        }
    }
    make_all_runnable(awake);
}

// Returns whether any transport may have something. Any thread may call this.
bool Endpoint::has_news() const {
    for (Transport *transport : transports_)
        if (transport->has_news())
            return true;
    return false;
}

// Only one thread takes in at a time. A thread that is already taking in, inside an arrive
// function, must not enter again.
bool Endpoint::progress(bool wait_for_turn) {
    if (taking_in)
        return false;
    if (!wait_for_turn && !has_news())
        return false;
    if (wait_for_turn)
        progress_lock_.lock();
    else if (!progress_lock_.try_lock())
        return false;
    set_taking_in(true);
    bool something = false;
    if (!closed_) {
        for (Transport *transport : transports_)
            something |= transport->take_in(*this);
        if (retry_) {
            retry_ = false;
            retry_all();
            something = true;
        }
    }
    set_taking_in(false);
    progress_lock_.unlock();
    return something;
}

void Endpoint::close() {
    SleepingLock::Guard guard(progress_lock_);
    closed_ = true;
}

void Endpoint::room() {
    CHECK(taking_in);
    retry_ = true;
}

// Marks all ways of the process as lost and ends what waits for it. The lost function is called
// once, for the first report.
void Endpoint::lost(NodeProcess process) {
    bool own_turn = !taking_in;
    if (own_turn) {
        progress_lock_.lock();
        set_taking_in(true);
    }
    TaskList awake;
    bool is_news = false;
    for (int i = 0; i < channel_count; ++i) {
        Way &way = this->way(process, static_cast<Channel>(i));
        LockGuard guard(way.lock);
        is_news |= !way.lost;
        way.lost = true;
        while (Outgoing *message = way.first) {
            way.first = message->next;
            finish(*message, false, awake);
            queued_.fetch_sub(1, std::memory_order_release); // [queued-1]
        }
        way.last = nullptr;
        incoming(process, static_cast<Channel>(i)).lost = true;
    }
    make_all_runnable(awake);
    if (is_news)
        fail_readings(process);
    auto *function = lost_function_.load(std::memory_order_relaxed);
    if (is_news && function)
        function(process);
    if (own_turn) {
        set_taking_in(false);
        progress_lock_.unlock();
    }
}

// A message of one packet is delivered directly from its packet. Others are collected; the memory
// for that is kept if it is small.
void Endpoint::arrive(NodeProcess source, Channel channel, const PacketHead &head,
                      const void *header, const void *payload) {
    sanitizer::message_has_come();
    Incoming &incoming = this->incoming(source, channel);
    if (incoming.lost) [[unlikely]]
        return;
    if (head.first && head.last && head.kind != MessageKind::Internal) [[likely]] {
        deliver(incoming, source, channel, head, header, payload, head.payload_bytes);
        return;
    }
    if (head.first) {
        incoming.head = head;
        copy_bytes(incoming.header, header, head.header_bytes);
        incoming.payload.clear();
    }
    if (head.kind == MessageKind::Internal) {
        arrive_internal(source, incoming, head, payload);
        if (head.last)
            note_message(incoming.taken, head.kind);
        return;
    }
    const auto *bytes = static_cast<const char *>(payload);
    incoming.payload.insert(incoming.payload.end(), bytes, bytes + head.payload_bytes);
    if (!head.last)
        return;
    deliver(incoming, source, channel, incoming.head, incoming.header, incoming.payload.data(),
            incoming.payload.size());
    if (incoming.payload.capacity() > kept_bytes_max)
        std::vector<char>().swap(incoming.payload);
}

void Endpoint::deliver(Incoming &incoming, NodeProcess source, Channel channel,
                       const PacketHead &head, const void *header, const void *payload,
                       size_t payload_bytes) {
    CHECK(static_cast<int>(head.kind) < message_kind_count);
    const Receiver &receiver = receivers_[static_cast<size_t>(head.kind)];
    CHECK(receiver.function, "no handler for message kind %d from process %d",
          static_cast<int>(head.kind), source.number());
    receiver.function(receiver.argument,
                      {source, channel, header, head.header_bytes, payload, payload_bytes});
    // Counted afterwards: tasks that it has made runnable count as active by then.
    note_message(incoming.taken, head.kind);
}

// Answers a request to read, or stores the data of a read that this process has requested. The
// answer is queued, since an arrive function must not wait.
void Endpoint::arrive_internal(NodeProcess source, const Incoming &incoming, const PacketHead &head,
                               const void *payload) {
    InternalHeader header;
    std::memcpy(&header, incoming.header, sizeof header);
    if (header.what == InternalHeader::What::ReadRequest) {
        header.what = InternalHeader::What::ReadData;
        auto *answer = new Outgoing;
        answer->kind = MessageKind::Internal;
        answer->header_bytes = sizeof header;
        std::memcpy(answer->header, &header, sizeof header);
        answer->part = {reinterpret_cast<void *>(header.address), header.bytes};
        answer->rest = {&answer->part, 1, 0, header.bytes};
        enqueue(source, Channel::PointToPoint, *answer);
        return;
    }
    char *into = nullptr;
    {
        LockGuard guard(readings_lock_);
        auto at = readings_.find(header.reading);
        if (at == readings_.end())
            return;
        into = at->second.into;
        at->second.into += head.payload_bytes;
    }
    copy_bytes(into, payload, head.payload_bytes);
    if (head.last)
        end_reading(header.reading, true);
}

// Uses the transport's direct read; where that is impossible, the owner sends the data.
void Endpoint::read(NodeProcess process, const RemoteMemory &from, size_t offset, void *into,
                    size_t bytes, ReadDoneFunction done, void *argument) {
    Transport &transport = *transport_of_[process.index()];
    ReadResult result = bytes == 0 ? ReadResult::Done
                        : is_lost(process)
                            ? ReadResult::Lost
                            : transport.read(process, from, offset, into, bytes, done, argument);
    if (result == ReadResult::Impossible)
        ask_to_send(process, from.address + offset, into, bytes, done, argument);
    else if (result != ReadResult::Started)
        done(argument, result == ReadResult::Done);
}

// Asks the owner to send the memory as messages.
void Endpoint::ask_to_send(NodeProcess process, uint64_t address, void *into, size_t bytes,
                           ReadDoneFunction done, void *argument) {
    InternalHeader header{InternalHeader::What::ReadRequest, 0, address, bytes};
    {
        LockGuard guard(readings_lock_);
        header.reading = ++last_reading_;
        readings_[header.reading] = {process, static_cast<char *>(into), done, argument};
    }
    assert_does_not_suspend(); // may_wait is false
    if (!send(process, Channel::PointToPoint, MessageKind::Internal, &header, sizeof header,
              nullptr, 0, false))
        end_reading(header.reading, false);
}

void Endpoint::end_reading(uint64_t number, bool ok) {
    Reading reading;
    {
        LockGuard guard(readings_lock_);
        auto at = readings_.find(number);
        if (at == readings_.end())
            return;
        reading = at->second;
        readings_.erase(at);
    }
    reading.done(reading.argument, ok);
}

void Endpoint::fail_readings(NodeProcess process) {
    std::vector<uint64_t> numbers;
    {
        LockGuard guard(readings_lock_);
        for (auto &[number, reading] : readings_)
            if (reading.process == process)
                numbers.push_back(number);
    }
    for (uint64_t number : numbers)
        end_reading(number, false);
}

RemoteMemory Endpoint::expose(const void *memory, size_t bytes) {
    RemoteMemory remote{reinterpret_cast<uint64_t>(memory), bytes, 0};
    for (Transport *transport : transports_)
        transport->expose(remote);
    return remote;
}

void Endpoint::withdraw(const RemoteMemory &memory) {
    for (Transport *transport : transports_)
        transport->withdraw(memory);
}

} // namespace thrum
