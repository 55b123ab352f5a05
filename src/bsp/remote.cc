// See remote.h.
#include "bsp/remote.h"

#include "base/check.h"
#include "bsp/machine.h"
#include "bsp/shared_address.h"
#include "bsp/superstep.h"
#include "image/image.h"
#include "wireup/wireup.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

namespace thrum::bsp {
namespace {

enum class What : uint8_t {
    Begin,
    Message,
    Announcement,
    Get,
    Write,
    Answer,
    Fetched,
    Written,
    Stop,
    Go,
    Sums,
    Totals,
    Mistake,
};

// Of everything that travels. Not all is used by each.
struct Header {
    What what = What::Begin;
    MessageKind kind = MessageKind::Put;
    bool is_checked = false;
    bool is_end = false;   // Sums
    uint16_t function = 0; // Place
    uint16_t unused = 0;
    int32_t from = 0, to = 0; // pids; of a Mistake `to` is a world rank
    uint64_t superstep = 0;
    uint64_t size_bytes = 0; // of the payload of the BSP message, or of what is accessed
    uint64_t tag_bytes = 0;
    uint64_t area_or_variable = 0; // Sums: digest
    uint64_t offset_or_address = 0;
    uint64_t handler = 0;   // shared_address()
    uint64_t call_site = 0; // Place
    uint64_t origin = 0; // the sender's Request, or Backup; returned to it. Stop, Go: Flow's number
    uint64_t memory_address = 0, memory_key = 0;
};

static_assert(sizeof(Header) == header_bytes_max);

// Data that wait at the sender until the receiver has fetched them.
struct alignas(payload_alignment) Backup {
    RemoteMemory memory;

    char *data() { return reinterpret_cast<char *>(this + 1); }
};

// What has come before the machine is there.
struct Saved {
    int source;
    Header header;
    std::vector<char> payload;
};

// The machine of this node process. release [machine-1]: it is filled in.
std::atomic<Machine *> the_machine{nullptr};

std::vector<Saved> &saved() { // of arrive functions only
    static auto *list = new std::vector<Saved>;
    return *list;
}

void send(int process, const Header &header, const iovec *parts = nullptr,
          int count = 0) MAY_SUSPEND {
    if (Machine *machine = the_machine.load(std::memory_order_relaxed))
        machine->packets.fetch_add(1, std::memory_order_relaxed);
    // False: the process is lost, and the job will end (mpi/bound_ranks.h).
    (void)fabric_send(process, Channel::PointToPoint, thrum::MessageKind::Supersteps, &header,
                      sizeof header, parts, count);
}

iovec part_of(const void *data, size_t size_bytes) {
    return {const_cast<void *>(data), size_bytes};
}

void set_place(Header &header, const Place &place) {
    header.function = place.function;
    header.call_site = reinterpret_cast<uint64_t>(place.call_site);
}

// Of a call of process `pid`.
Place place_of(const Machine &machine, const Header &header) {
    return {machine.nodes[static_cast<size_t>(header.from)].process->world_rank(), header.function,
            reinterpret_cast<const void *>(header.call_site)};
}

// ---- out

// `from` waits if `to` has told it to.
void wait_while_stopped(Node &from, const Node &to) MAY_SUSPEND {
    struct StoppedBlockage : Blockage {
        StoppedBlockage(const Node &sender, const Node &receiver) : from(sender), to(receiver) {
            kind = Kind::Described;
            describe = [](const Blockage &blockage, char *text, size_t size_bytes) {
                const auto &b = static_cast<const StoppedBlockage &>(blockage);
                std::snprintf(
                    text, size_bytes, " in superstep %llu to rank %d, which is supersteps behind",
                    static_cast<unsigned long long>(b.from.superstep), b.to.process->world_rank());
                return b.to.process->world_rank();
            };
        }

        const Node &from, &to;
    };

    Flow &flow = *from.flow;
    for (;;) {
        flow.lock.lock();
        if (!Flow::is_stop(flow.heard[static_cast<size_t>(to.pid)])) [[likely]] {
            flow.lock.unlock();
            return;
        }
        Task &self = current_task();
        prepare_to_suspend(self);
        flow.waiter = &self;
        flow.lock.unlock();
        StoppedBlockage blockage(from, to);
        Waiting waiting(blockage);
        suspend();
    }
}

Flow::Sent &count_sent(Node &from, const Node &to) {
    Flow::Sent &sent = from.flow->sent[static_cast<size_t>(to.pid)];
    if (sent.operations++ == 0)
        from.flow->sent_to.push_back(to.pid);
    return sent;
}

Header header_of(const Node &from, const Node &to, What what, const Place &place) {
    Header header;
    header.what = what;
    header.from = from.pid;
    header.to = to.pid;
    header.superstep = from.superstep;
    set_place(header, place);
    return header;
}

// The data wait in a copy, which the receiver fetches.
void announce(const Node &to, Header &header, const iovec &tag, Part payload) MAY_SUSPEND {
    auto *backup = new (allocate_message(sizeof(Backup) + payload.size_bytes)) Backup;
    std::memcpy(backup->data(), payload.data, payload.size_bytes);
    backup->memory = fabric_expose(backup->data(), payload.size_bytes);
    header.what = What::Announcement;
    header.origin = reinterpret_cast<uint64_t>(backup);
    header.memory_address = backup->memory.address;
    header.memory_key = backup->memory.key;
    send(to.node_process, header, &tag, tag.iov_len > 0);
}

} // namespace

void deliver_elsewhere(Node &from, Node &to, const Message &message, Part tag, Part payload) {
    wait_while_stopped(from, to);
    Header header = header_of(from, to, What::Message, message.origin);
    header.kind = message.kind;
    header.is_checked = message.is_checked;
    header.size_bytes = payload.size_bytes;
    header.tag_bytes = tag.size_bytes;
    header.area_or_variable = message.area;
    header.offset_or_address = message.kind == MessageKind::Write
                                   ? reinterpret_cast<uint64_t>(message.address)
                                   : message.offset;
    if (message.handler)
        header.handler =
            shared_address(original_of(reinterpret_cast<const void *>(message.handler)));
    Flow::Sent &sent = count_sent(from, to);
    const size_t size_bytes = message.size_bytes(), room = from.machine->buffer_bytes;
    iovec parts[2] = {part_of(tag.data, tag.size_bytes), part_of(payload.data, payload.size_bytes)};
    if (size_bytes > room - sent.buffered_bytes) {
        ++(size_bytes > room ? from.counters.large : from.counters.overflows);
        if (payload.size_bytes > 0)
            return announce(to, header, parts[0], payload);
    }
    sent.buffered_bytes = std::min(room, sent.buffered_bytes + size_bytes);
    send(to.node_process, header, parts, 2);
}

void submit_elsewhere(Node &from, Node &to, Request &request) {
    wait_while_stopped(from, to);
    count_sent(from, to);
    Header header = header_of(from, to, request.writes ? What::Write : What::Get, request.place);
    header.size_bytes = request.size_bytes;
    header.area_or_variable = request.area;
    header.offset_or_address = request.offset;
    header.origin = reinterpret_cast<uint64_t>(&request);
    if (request.writes) {
        request.memory = fabric_expose(request.local, request.size_bytes);
        header.memory_address = request.memory.address;
        header.memory_key = request.memory.key;
    }
    send(to.node_process, header);
}

void forget_sent(Node &node) {
    for (int pid : node.flow->sent_to)
        node.flow->sent[static_cast<size_t>(pid)] = {};
    node.flow->sent_to.clear();
}

void send_sums(int process, const Announcement &said, std::span<const uint32_t> sums) {
    Header header;
    header.what = What::Sums;
    header.is_end = said.is_end;
    header.from = said.pid;
    header.superstep = said.superstep;
    header.area_or_variable = said.digest;
    set_place(header, said.place);
    iovec part = part_of(sums.data(), sums.size_bytes());
    send(process, header, &part, 1);
}

void send_totals(int process, std::span<const uint32_t> totals) {
    Header header;
    header.what = What::Totals;
    iovec part = part_of(totals.data(), totals.size_bytes());
    send(process, header, &part, 1);
}

void tell_of_mistake(const Place &place, uint64_t superstep, const char *sentence) {
    Header header;
    header.what = What::Mistake;
    header.to = place.world_rank;
    header.superstep = superstep;
    set_place(header, place);
    iovec part = part_of(sentence, std::strlen(sentence));
    send(node_process_of(place.world_rank), header, &part, 1);
}

void tell_of_beginning(Machine &machine) {
    the_machine.store(&machine, std::memory_order_release); // [machine-1]
    Header header;
    header.what = What::Begin;
    const Beginning beginning{machine.size, machine.is_profiled, machine.buffer_bytes,
                              machine.start_ns};
    iovec part = part_of(&beginning, sizeof beginning);
    for (int process = 0; process < node_process_count(); ++process)
        if (process != this_node_process())
            send(process, header, &part, 1);
}

// ---- fetching data that wait elsewhere

struct AnnouncedMessage {
    int process = 0;
    uint64_t backup = 0;
    RemoteMemory memory;
    Node *node = nullptr;                       // the receiver, while it fetches
    alignas(payload_alignment) Message message; // behind it its tag, and its payload if it stays
};

namespace {

AnnouncedMessage &announced(Message &message) {
    return *reinterpret_cast<AnnouncedMessage *>(reinterpret_cast<char *>(&message) -
                                                 offsetof(AnnouncedMessage, message));
}

void tell_done(int process, What what, uint64_t origin) MAY_SUSPEND {
    Header header;
    header.what = what;
    header.origin = origin;
    send(process, header);
}

void change_outstanding(Inbox &inbox, int change) {
    inbox.lock.lock();
    inbox.outstanding.store(inbox.outstanding.load(std::memory_order_relaxed) + change,
                            std::memory_order_relaxed);
    unlock_and_wake(inbox);
}

// Not ok, here and below: the process is lost, and the job will end.
void message_is_fetched(void *argument, bool ok) MAY_SUSPEND {
    auto &fetched = *static_cast<AnnouncedMessage *>(argument);
    if (!ok)
        return;
    tell_done(fetched.process, What::Fetched, fetched.backup);
    change_outstanding(fetched.node->inbox(), -1); // the message may be gone after this
}

// A large unbuffered put.
struct Writing {
    Node &node;
    Request &request;
};

void request_is_written(void *argument, bool ok) MAY_SUSPEND {
    auto *writing = static_cast<Writing *>(argument);
    Request &request = writing->request;
    Node &node = writing->node;
    if (!ok)
        return;
    tell_done(request.node_process, What::Written, request.origin_request);
    delete &request;
    delete writing;
    change_outstanding(node.inbox(), -1);
}

} // namespace

void fetch_announced(Node &node, Message &message, char *into) {
    AnnouncedMessage &source = announced(message);
    source.node = &node;
    change_outstanding(node.inbox(), 1);
    fabric_read(source.process, source.memory, 0, into, message.payload_bytes, message_is_fetched,
                &source);
}

void free_announced(Message *message) {
    std::free(&announced(*message));
}

void answer(Node &node, Request &request, char *place) {
    if (request.writes) {
        change_outstanding(node.inbox(), 1);
        fabric_read(request.node_process, request.memory, 0, place, request.size_bytes,
                    request_is_written, new Writing{node, request});
        return;
    }
    Header header;
    header.what = What::Answer;
    header.origin = request.origin_request;
    iovec part = part_of(place, request.size_bytes);
    node.bytes_sent += request.size_bytes;
    send(request.node_process, header, &part, 1);
    delete &request;
}

// ---- in

namespace {

// To a process elsewhere, of `from`, which need not be the caller.
void send_control(uint32_t number, const Node &from, const Node &to) MAY_SUSPEND {
    Header header;
    header.what = Flow::is_stop(number) ? What::Stop : What::Go;
    header.origin = number;
    header.from = from.pid;
    header.to = to.pid;
    send(to.node_process, header);
}

// The sender is farther ahead than inboxes reach, and what it has sent meanwhile fills a receive
// buffer.
void note_ahead(Node &to, const Ahead &ahead) MAY_SUSPEND {
    Flow &flow = *to.flow;
    const auto source = static_cast<size_t>(ahead.source);
    uint32_t stop = 0;
    flow.lock.lock();
    flow.ahead_bytes[source] += static_cast<int64_t>(ahead.size_bytes);
    if (flow.ahead_bytes[source] > static_cast<int64_t>(to.machine->buffer_bytes) &&
        !Flow::is_stop(flow.said[source]))
        stop = ++flow.said[source];
    flow.lock.unlock();
    if (stop)
        send_control(stop, to, to.machine->nodes[source]);
}

} // namespace

void admit_ahead(Node &node, Ahead *first) {
    Flow &flow = *node.flow;
    while (Ahead *ahead = first) {
        first = ahead->next;
        const auto source = static_cast<size_t>(ahead->source);
        uint32_t go = 0;
        flow.lock.lock();
        flow.ahead_bytes[source] -= static_cast<int64_t>(ahead->size_bytes);
        if (flow.ahead_bytes[source] <= static_cast<int64_t>(node.machine->buffer_bytes / 2) &&
            Flow::is_stop(flow.said[source]))
            go = ++flow.said[source];
        flow.lock.unlock();
        delete ahead;
        if (go)
            send_control(go, node, node.machine->nodes[source]);
    }
}

namespace {

enum class Serves { Now, Later, NoMore };

// With the inbox's lock held.
Serves serves(const Inbox &inbox, uint64_t superstep) {
    const uint64_t served = inbox.superstep.load(std::memory_order_relaxed);
    if (served == superstep && !inbox.closed) [[likely]]
        return Serves::Now;
    return served >= superstep ? Serves::NoMore : Serves::Later;
}

[[gnu::cold]] void report_late(const Node &to, const Place &origin, uint64_t superstep,
                               int64_t wanted) MAY_SUSPEND {
    complain_at(origin, superstep,
                "rank %d has ended superstep %llu by counting: it expects %lld operations there, "
                "and this is one more",
                to.process->world_rank(), static_cast<unsigned long long>(superstep),
                static_cast<long long>(wanted));
}

void count_in(Inbox &inbox, size_t size_bytes) {
    ++inbox.claimed;
    ++inbox.from_elsewhere;
    count_arrival(inbox, size_bytes);
}

// Puts a message that lies in memory of its own, or a request, into the inbox of its superstep.
void put_in(Node &to, Ahead ahead, const Place &origin) MAY_SUSPEND {
    Inbox &inbox = to.inboxes[ahead.superstep % sets];
    auto *kept = new Ahead(ahead);
    inbox.lock.lock();
    const Serves when = serves(inbox, ahead.superstep);
    if (when == Serves::NoMore) {
        const int64_t wanted = inbox.wanted;
        inbox.lock.unlock();
        return report_late(to, origin, ahead.superstep, wanted);
    }
    if (when == Serves::Later) {
        kept->next = inbox.ahead;
        inbox.ahead = kept;
        inbox.lock.unlock();
        return note_ahead(to, ahead);
    }
    if (ahead.message) {
        ahead.message->next = inbox.backup;
        inbox.backup = ahead.message;
        count_in(inbox, ahead.message->payload_bytes);
    } else {
        ahead.request->next = inbox.requests.load(std::memory_order_relaxed);
        inbox.requests.store(ahead.request, std::memory_order_relaxed);
        count_in(inbox, ahead.request->writes ? ahead.request->size_bytes : 0);
    }
    unlock_and_wake(inbox);
    delete kept;
}

// False: its target is not here, as this process has not loaded the library.
bool find_target(const Machine &machine, const Node &to, const Header &header, Message &message) {
    message.payload_bytes = header.size_bytes;
    message.source = header.from;
    message.kind = header.kind;
    message.is_checked = header.is_checked;
    message.tag_bytes = static_cast<uint32_t>(header.tag_bytes);
    message.origin = place_of(machine, header);
    if (header.handler &&
        !(message.handler = reinterpret_cast<cbsp_handler *>(local_address(header.handler))))
        return false;
    if (header.kind != MessageKind::Write) {
        message.area = header.area_or_variable;
        message.offset = header.offset_or_address;
        return true;
    }
    message.address = reinterpret_cast<void *>(header.offset_or_address);
    if (!header.area_or_variable)
        return true;
    message.address = local_address(header.area_or_variable);
    if (message.address)
        message.address = translate(to.process->rank->image, message.address);
    return message.address != nullptr;
}

// False: the buffer has no room, or the inbox does not serve the superstep.
bool put_in_buffer(Node &to, uint64_t superstep, const Message &message, Part tag, Part payload) {
    Inbox &inbox = to.inboxes[superstep % sets];
    const size_t size_bytes = message.size_bytes();
    inbox.lock.lock();
    void *place = serves(inbox, superstep) == Serves::Now
                      ? take_room(inbox, size_bytes, to.machine->buffer_bytes)
                      : nullptr;
    if (!place) {
        inbox.lock.unlock();
        return false;
    }
    ++inbox.claimed;
    ++inbox.from_elsewhere;
    if (size_bytes <= locked_copy_bytes_max) {
        write_message(place, message, tag, payload);
    } else {
        inbox.lock.unlock();
        write_message(place, message, tag, payload);
        inbox.lock.lock();
    }
    count_arrival(inbox, payload.size_bytes);
    unlock_and_wake(inbox);
    return true;
}

// False: that is a mistake, and has been reported.
bool read_message(const Machine &machine, const Node &to, const Header &header,
                  Message &message) MAY_SUSPEND {
    if (find_target(machine, to, header, message))
        return true;
    complain_at(message.origin, header.superstep,
                "rank %d has not loaded the library that the handler or the destination is in",
                to.process->world_rank());
    return false;
}

void put_in(Node &to, const Header &header, Message &message) MAY_SUSPEND {
    const Ahead ahead{.superstep = header.superstep,
                      .message = &message,
                      .source = header.from,
                      .size_bytes = message.size_bytes()};
    put_in(to, ahead, message.origin);
}

void message_arrived(Machine &machine, const Header &header, const char *data) MAY_SUSPEND {
    Node &to = machine.nodes[static_cast<size_t>(header.to)];
    Message message;
    if (!read_message(machine, to, header, message))
        return;
    const Part tag{data, header.tag_bytes};
    const Part payload{data + header.tag_bytes, header.size_bytes};
    if (put_in_buffer(to, header.superstep, message, tag, payload))
        return;
    auto *own = static_cast<Message *>(allocate_message(message.size_bytes()));
    write_message(own, message, tag, payload);
    put_in(to, header, *own);
}

void announcement_arrived(Machine &machine, int process, const Header &header,
                          const char *tag) MAY_SUSPEND {
    Node &to = machine.nodes[static_cast<size_t>(header.to)];
    Message message;
    if (!read_message(machine, to, header, message))
        return;
    message.is_announced = true;
    // Room for the data only if they stay in the inbox.
    const bool stays = message.kind == MessageKind::Present || message.kind == MessageKind::Tagged;
    auto *own =
        new (allocate_message(sizeof(AnnouncedMessage) + padded(message.tag_bytes) +
                              (stays ? padded(message.payload_bytes) : 0))) AnnouncedMessage;
    own->process = process;
    own->backup = header.origin;
    own->memory = {header.memory_address, header.size_bytes, header.memory_key};
    own->message = message;
    if (message.tag_bytes)
        std::memcpy(own->message.tag(), tag, message.tag_bytes);
    put_in(to, header, own->message);
}

void request_arrived(Machine &machine, int process, const Header &header) MAY_SUSPEND {
    Node &to = machine.nodes[static_cast<size_t>(header.to)];
    auto *request = new Request;
    request->writes = header.what == What::Write;
    request->area = header.area_or_variable;
    request->offset = header.offset_or_address;
    request->size_bytes = header.size_bytes;
    request->place = place_of(machine, header);
    request->node_process = process;
    request->origin_request = header.origin;
    request->memory = {header.memory_address, header.size_bytes, header.memory_key};
    put_in(to,
           {.superstep = header.superstep,
            .request = request,
            .source = header.from,
            .size_bytes = sizeof *request},
           request->place);
}

// The answer to a get of this process.
void answer_arrived(const Header &header, const Arrival &arrival) {
    auto &request = *reinterpret_cast<Request *>(header.origin);
    if (arrival.payload_bytes > 0)
        std::memcpy(request.local, arrival.payload, arrival.payload_bytes);
    finish(request);
}

// The receiver has fetched the data of a message.
void fetched(uint64_t origin) {
    auto *backup = reinterpret_cast<Backup *>(origin);
    fabric_withdraw(backup->memory);
    std::free(backup);
}

// The target has copied what a request of this process writes.
void written(uint64_t origin) {
    auto &request = *reinterpret_cast<Request *>(origin);
    fabric_withdraw(request.memory);
    finish(request);
}

void flow_arrived(Machine &machine, const Header &header) {
    Flow &flow = *machine.nodes[static_cast<size_t>(header.to)].flow;
    Task *awake = nullptr;
    flow.lock.lock();
    uint32_t &heard = flow.heard[static_cast<size_t>(header.from)];
    heard = std::max(heard, static_cast<uint32_t>(header.origin));
    if (header.what == What::Go)
        std::swap(awake, flow.waiter);
    flow.lock.unlock();
    if (awake)
        make_runnable(*awake);
}

std::span<const uint32_t> numbers_in(const Arrival &arrival) {
    return {static_cast<const uint32_t *>(arrival.payload),
            arrival.payload_bytes / sizeof(uint32_t)};
}

void take(Machine &machine, const Header &header, const Arrival &arrival) MAY_SUSPEND {
    const auto *payload = static_cast<const char *>(arrival.payload);
    switch (header.what) {
    case What::Begin:
        return;
    case What::Message:
        return message_arrived(machine, header, payload);
    case What::Announcement:
        return announcement_arrived(machine, arrival.source, header, payload);
    case What::Get:
    case What::Write:
        return request_arrived(machine, arrival.source, header);
    case What::Answer:
        return answer_arrived(header, arrival);
    case What::Fetched:
        return fetched(header.origin);
    case What::Written:
        return written(header.origin);
    case What::Stop:
    case What::Go:
        return flow_arrived(machine, header);
    case What::Sums:
        return child_has_told(machine,
                              {header.superstep, header.is_end, header.area_or_variable,
                               header.from, place_of(machine, header)},
                              numbers_in(arrival));
    case What::Totals:
        return parent_has_told(machine, numbers_in(arrival));
    case What::Mistake: {
        const Place place{header.to, header.function,
                          reinterpret_cast<const void *>(header.call_site)};
        return complain_at(place, header.superstep, "%.*s", static_cast<int>(arrival.payload_bytes),
                           payload);
    }
    }
}

void begin(const Arrival &arrival) MAY_SUSPEND {
    Beginning beginning;
    std::memcpy(&beginning, arrival.payload, sizeof beginning);
    Machine &machine = begin_as_told(beginning);
    the_machine.store(&machine, std::memory_order_release); // [machine-1]
    for (const Saved &early : saved())
        take(machine, early.header,
             {early.source, Channel::PointToPoint, &early.header, sizeof early.header,
              early.payload.data(), early.payload.size()});
    std::vector<Saved>().swap(saved());
}

void arrived(void *, const Arrival &arrival) MAY_SUSPEND {
    Header header;
    CHECK(arrival.header_bytes == sizeof header);
    std::memcpy(&header, arrival.header, sizeof header);
    if (header.what == What::Begin)
        return begin(arrival);
    // acquire [machine-1]
    if (Machine *machine = the_machine.load(std::memory_order_acquire))
        return take(*machine, header, arrival);
    // Another process has heard of the beginning earlier.
    const auto *payload = static_cast<const char *>(arrival.payload);
    saved().push_back({arrival.source, header, {payload, payload + arrival.payload_bytes}});
}

} // namespace

void begin_remote_supersteps() {
    set_arrive_function(thrum::MessageKind::Supersteps, arrived);
}

} // namespace thrum::bsp
