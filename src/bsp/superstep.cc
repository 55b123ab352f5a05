// The end of a superstep (superstep.h). The order of the steps matters: nothing is written into the
// process's memory before all that it waits for has arrived, since gets of others must read the old
// values.
#include "bsp/superstep.h"

#include "base/bytes.h"
#include "base/clock.h"
#include "bsp/announced_data.h"
#include "bsp/barrier.h"
#include "bsp/delivery.h"
#include "bsp/mistake.h"
#include "bsp/serve.h"
#include "bsp/stop_and_go.h"
#include "image/image.h"

#include <climits>
#include <cstring>

namespace thrum::bsp {
namespace {

// --- Checks

void check_may_synchronise(const Node &node) {
    if (node.phase == Phase::InHandlers)
        mistake(node.superstep, "called by a handler, which runs while its process synchronises");
}

// --- Messages of the superstep

// Runs the handlers of this superstep's messages.
void run_handlers(Node &node) MAY_SUSPEND {
    if (node.handled.empty())
        return;
    node.phase = Phase::InHandlers;
    for (Message *message : node.handled) {
        // The handler's address is the sender's; here it is the same function in this process's
        // copy of the program.
        auto *handler = reinterpret_cast<cbsp_handler *>(translate(
            node.process->rank->image, original_of(reinterpret_cast<void *>(message->handler))));
        void *data = message->kind == MessageKind::Present ? message->payload() : message->address;
        handler(message->source, data, static_cast<int>(message->payload_bytes));
    }
    node.handled.clear();
}

// Finds where a put or a cbsp_send() writes. It is a mistake of the sender if that is not allowed.
void find_place(const Node &node, Message &message) {
    if (message.kind == MessageKind::Put) {
        message.address = place_in_area(node, message.area, message.offset, message.payload_bytes,
                                        message.origin);
    } else if (message.kind == MessageKind::Write && !message.is_checked &&
               !node.registrations.find_containing(message.address, message.payload_bytes)) {
        mistake_at(message.origin, node.superstep,
                   "destination %p (%zu bytes) is neither a global variable nor inside an area "
                   "registered by rank %d or the caller",
                   message.address, message.payload_bytes, node.process->world_rank());
    }
}

// Returns whether the data of the message stay in the inbox.
bool stays(const Message &message) {
    return message.kind == MessageKind::Present || message.kind == MessageKind::Tagged;
}

// Reads the data that have waited at senders elsewhere, directly to their destinations, and waits
// for them.
void fetch_all_announced(Node &node) MAY_SUSPEND {
    Inbox &inbox = node.inbox();
    for (Message *message = inbox.backup; message; message = message->next) {
        if (!message->is_announced)
            continue;
        find_place(node, *message);
        fetch_announced(node, *message,
                        stays(*message) ? message->payload()
                                        : static_cast<char *>(message->address));
    }
    wait_until_satisfied(node, inbox);
}

// Handles one message: writes its data, and queues it or its handler.
void receive(Node &node, Message &message) {
    if (message.kind == MessageKind::Tagged) {
        node.queue.push_back(&message);
        return;
    }
    if (!message.is_announced) {
        find_place(node, message);
        if (message.kind != MessageKind::Present && message.payload_bytes)
            copy_bytes(message.address, message.payload(), message.payload_bytes);
    }
    if (message.handler)
        node.handled.push_back(&message);
}

// Records the superstep for the report.
void note_end(Node &node, uint64_t bytes_in) {
    Profile &profile = *node.profile;
    const int64_t now = now_ns();
    profile.records.push_back({.work_ns = profile.synchronising_ns - profile.begun_ns,
                               .total_ns = now - profile.begun_ns,
                               .bytes_in = bytes_in,
                               .bytes_out = node.bytes_sent,
                               .counted = node.counts});
    profile.begun_ns = now;
}

// Ends the superstep, of which everything has arrived, and begins the next one.
void begin_next(Node &node) MAY_SUSPEND {
    const Inbox &inbox = node.inbox();
    uint64_t bytes_in = inbox.bytes;
    for (const Request *get : node.gets) {
        copy_bytes(get->destination, get->local, get->size_bytes);
        bytes_in += get->size_bytes;
    }
    node.gets.clear();
    node.arena.reset();
    if (node.flow) {
        forget_sent(node);
        fetch_all_announced(node);
    }
    node.queue.clear();
    node.queue_first = 0;
    for_each_message(inbox, [&node](Message &message) { receive(node, message); });
    node.registrations.apply();
    node.tag_bytes = node.next_tag_bytes;
    if (node.profile) [[unlikely]]
        note_end(node, bytes_in);
    node.bytes_sent = 0;
    ++node.superstep;
    run_handlers(node);
    node.phase = Phase::Computing;
    // release [begun-1]: all writes of the superstep before.
    node.begun.store(node.superstep, std::memory_order_release);
    recycle(node, node.inboxes[(node.superstep + 2) % sets], node.superstep + 2);
}

// Returns how many operations are sent to the process in this superstep. Valid after meet_all().
int64_t operations_of_superstep(Node &node) {
    Inbox &inbox = node.inbox();
    LockGuard guard(inbox.lock); // some from elsewhere may still be on their way
    return inbox.claimed - inbox.from_elsewhere + operations_from_elsewhere(node);
}

// Enters the synchronisation.
void start(Node &node, bool by_counting) {
    check_may_synchronise(node);
    node.phase = Phase::Synchronising;
    node.counts = by_counting;
    if (node.profile) [[unlikely]]
        node.profile->synchronising_ns = now_ns();
}

} // namespace

void synchronise_by_counting(int64_t count) {
    Node &node = current_node();
    start(node, true);
    if (count < 0)
        mistake(node.superstep, "count is %lld, but must not be negative",
                static_cast<long long>(count));
    // relaxed: it only reports early what bsp_sync would detect, or a deadlock report.
    if (node.machine->global_ends[node.superstep % Machine::ends].load(std::memory_order_relaxed) ==
        node.superstep + 1)
        mistake(node.superstep, "another process ends this superstep globally: all must end it in "
                                "the same way, globally or by counting");
    wait_for_operations(node, count);
    const Inbox &inbox = node.inbox();
    if (inbox.claimed > count)
        mistake(node.superstep, "expected %lld operations, received %lld",
                static_cast<long long>(count), static_cast<long long>(inbox.claimed));
    ++node.counters.supersteps_counted;
    begin_next(node);
}

void synchronise_globally() {
    Node &node = current_node();
    start(node, false);
    auto &mark = node.machine->global_ends[node.superstep % Machine::ends];
    if (mark.load(std::memory_order_relaxed) != node.superstep + 1)
        mark.store(node.superstep + 1, std::memory_order_relaxed);
    meet_all(node, false);
    wait_for_operations(node, node.flow ? operations_of_superstep(node) : 0);
    ++node.counters.supersteps_global;
    begin_next(node);
}

void meet_at_end(Node &node) {
    start(node, false);
    meet_all(node, true);
    const int64_t lost = operations_of_superstep(node);
    if (lost > 0)
        mistake(node.superstep,
                "%lld operations of the last superstep have arrived at this process and would be "
                "lost: call bsp_sync before bsp_end",
                static_cast<long long>(lost));
}

} // namespace thrum::bsp
