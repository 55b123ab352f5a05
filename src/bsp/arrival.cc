// Arrive functions of supersteps (arrival.h). They run one at a time and do not wait. An operation
// for a superstep that the inbox serves goes into the receive buffer or, without room, into memory
// of its own; an earlier one is kept aside; a later one is a mistake of its sender.
#include "bsp/arrival.h"

#include "base/check.h"
#include "bsp/announced_data.h"
#include "bsp/barrier.h"
#include "bsp/machine_lifecycle.h"
#include "bsp/mistake.h"
#include "bsp/shared_address.h"
#include "bsp/stop_and_go.h"
#include "image/image.h"

#include <cstdlib>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

namespace thrum::bsp {
namespace {

// A packet that arrives before this process knows the machine.
struct Saved {
    NodeProcess source;
    PacketHeader header;
    std::vector<char> payload;
};

std::vector<Saved> &saved() { // only used by arrive functions
    static auto *list = new std::vector<Saved>;
    return *list;
}

// Returns the place of the call that the packet belongs to.
Place place_of(const Machine &machine, const PacketHeader &header) {
    return {machine.nodes[static_cast<size_t>(header.from)].process->world_rank(), header.function,
            reinterpret_cast<const void *>(header.call_site)};
}

// Whether an inbox takes operations of a superstep.
enum class Serves { Now, Later, NoMore };

// The caller holds the inbox's lock.
Serves serves(const Inbox &inbox, uint64_t superstep) {
    const uint64_t served = inbox.superstep.load(std::memory_order_relaxed);
    if (served == superstep && !inbox.closed) [[likely]]
        return Serves::Now;
    return served >= superstep ? Serves::NoMore : Serves::Later;
}

// Reports an operation that its receiver, which ended the superstep by counting, did not expect.
[[gnu::cold]] void report_late(const Node &to, const Place &origin, uint64_t superstep,
                               int64_t wanted) MAY_SUSPEND {
    complain_at(origin, superstep,
                "rank %d has ended superstep %llu by counting: it expected %lld operations in it, "
                "and this is one more",
                to.process->world_rank(), static_cast<unsigned long long>(superstep),
                static_cast<long long>(wanted));
}

// Counts an operation that is in place. The caller holds the lock.
void count_in(Inbox &inbox, size_t size_bytes) {
    ++inbox.claimed;
    ++inbox.from_elsewhere;
    count_arrival(inbox, size_bytes);
}

// Puts a message in memory of its own, or a request, into the inbox of its superstep; keeps it
// aside if that is not served yet.
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

// Fills in where the message goes in this process. Returns false if this process has not loaded the
// library that contains the target or the handler.
bool find_target(const Machine &machine, const Node &to, const PacketHeader &header,
                 Message &message) {
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

// Copies the message into the receive buffer. Returns false if there is no room, or if the inbox
// does not serve the superstep. A long copy is made without the lock: the room is reserved already.
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

// Fills in the message. Returns false after it has reported a mistake.
bool read_message(const Machine &machine, const Node &to, const PacketHeader &header,
                  Message &message) MAY_SUSPEND {
    if (find_target(machine, to, header, message))
        return true;
    complain_at(message.origin, header.superstep,
                "rank %d has not loaded the library that the handler or the destination is in",
                to.process->world_rank());
    return false;
}

// Puts a message in memory of its own into the inbox.
void put_in(Node &to, const PacketHeader &header, Message &message) MAY_SUSPEND {
    const Ahead ahead{.superstep = header.superstep,
                      .message = &message,
                      .source = header.from,
                      .size_bytes = message.size_bytes()};
    put_in(to, ahead, message.origin);
}

void message_arrived(Machine &machine, const PacketHeader &header, const char *data) MAY_SUSPEND {
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

void announcement_arrived(Machine &machine, NodeProcess process, const PacketHeader &header,
                          const char *tag) MAY_SUSPEND {
    Node &to = machine.nodes[static_cast<size_t>(header.to)];
    Message message;
    if (!read_message(machine, to, header, message))
        return;
    message.is_announced = true;
    // The message has room for the data only if they stay in the inbox.
    const bool stays = message.kind == MessageKind::Present || message.kind == MessageKind::Tagged;
    put_in(to, header, new_announced_message(process, header, message, tag, stays));
}

// Puts a get, or a write of the origin's memory, into the inbox of its target.
void request_arrived(Machine &machine, NodeProcess process,
                     const PacketHeader &header) MAY_SUSPEND {
    Node &to = machine.nodes[static_cast<size_t>(header.to)];
    auto *request = new Request;
    request->writes = header.what == PacketKind::Write;
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

// Handles the answer to a get of this process.
void answer_arrived(const PacketHeader &header, const Arrival &arrival) MAY_SUSPEND {
    auto &request = *reinterpret_cast<Request *>(header.origin);
    if (arrival.payload_bytes > 0)
        std::memcpy(request.local, arrival.payload, arrival.payload_bytes);
    finish(request);
}

// Ends an unbuffered put of this process: the target has copied the data.
void written(uint64_t origin) MAY_SUSPEND {
    auto &request = *reinterpret_cast<Request *>(origin);
    fabric_withdraw(request.memory);
    finish(request);
}

// Returns the payload as numbers, one for each process.
std::span<const uint32_t> numbers_in(const Arrival &arrival) {
    return {static_cast<const uint32_t *>(arrival.payload),
            arrival.payload_bytes / sizeof(uint32_t)};
}

// Dispatches a packet to its unit.
void take(Machine &machine, const PacketHeader &header, const Arrival &arrival) MAY_SUSPEND {
    const auto *payload = static_cast<const char *>(arrival.payload);
    switch (header.what) {
    case PacketKind::Begin:
        return;
    case PacketKind::Message:
        return message_arrived(machine, header, payload);
    case PacketKind::Announcement:
        return announcement_arrived(machine, arrival.source, header, payload);
    case PacketKind::Get:
    case PacketKind::Write:
        return request_arrived(machine, arrival.source, header);
    case PacketKind::Answer:
        return answer_arrived(header, arrival);
    case PacketKind::Fetched:
        return free_announced_copy(header.origin);
    case PacketKind::Written:
        return written(header.origin);
    case PacketKind::Stop:
    case PacketKind::Go:
        return flow_arrived(machine, header);
    case PacketKind::Sums:
        return child_has_told(machine,
                              {header.superstep, header.is_end, header.area_or_variable,
                               header.from, place_of(machine, header)},
                              numbers_in(arrival));
    case PacketKind::Totals:
        return parent_has_told(machine, numbers_in(arrival));
    case PacketKind::Mistake: {
        const Place place{header.to, header.function,
                          reinterpret_cast<const void *>(header.call_site)};
        return complain_at(place, header.superstep, "%.*s", static_cast<int>(arrival.payload_bytes),
                           payload);
    }
    }
}

// Makes this process's part of the machine, then handles what arrived too early, in the order of
// arrival.
void begin(const Arrival &arrival) MAY_SUSPEND {
    Beginning beginning;
    std::memcpy(&beginning, arrival.payload, sizeof beginning);
    begin_as_told(beginning);
    Machine &machine = *spanning_machine();
    for (const Saved &early : saved())
        take(machine, early.header,
             {early.source, Channel::PointToPoint, &early.header, sizeof early.header,
              early.payload.data(), early.payload.size()});
    std::vector<Saved>().swap(saved());
}

void arrived(void *, const Arrival &arrival) MAY_SUSPEND {
    PacketHeader header;
    CHECK(arrival.header_bytes == sizeof header);
    std::memcpy(&header, arrival.header, sizeof header);
    if (header.what == PacketKind::Begin)
        return begin(arrival);
    if (Machine *machine = spanning_machine())
        return take(*machine, header, arrival);
    // The sender has learned of the beginning before this process.
    const auto *payload = static_cast<const char *>(arrival.payload);
    saved().push_back({arrival.source, header, {payload, payload + arrival.payload_bytes}});
}

} // namespace

void begin_remote_supersteps() {
    set_arrive_function(thrum::MessageKind::Supersteps, arrived);
}

} // namespace thrum::bsp
