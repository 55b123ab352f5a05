// Delivery inside a node process (delivery.h). The sender copies into the receiver's inbox, under
// the inbox's lock if the message is small.
#include "bsp/delivery.h"

#include "bsp/announced_data.h"
#include "bsp/mistake.h"
#include "bsp/remote_delivery.h"
#include "bsp/serve.h"
#include "bsp/stop_and_go.h"
#include "rank/rank.h"

#include <cstdio>
#include <cstdlib>

namespace thrum::bsp {
namespace {

// The wait of a sender that is too far ahead, for reports.
struct EarlyBlockage : Blockage {
    EarlyBlockage(const Node &sender, const Node &receiver) : from(sender), to(receiver) {
        kind = Kind::Described;
        describe = [](const Blockage &blockage, char *text, size_t size_bytes) {
            const auto &b = static_cast<const EarlyBlockage &>(blockage);
            std::snprintf(
                text, size_bytes, " in superstep %llu to rank %d, which is in superstep %llu",
                static_cast<unsigned long long>(b.from.superstep), b.to.process->world_rank(),
                static_cast<unsigned long long>(b.to.begun.load(std::memory_order_relaxed)));
            return b.to.process->world_rank();
        };
    }

    const Node &from, &to;
};

// Reports an operation that arrives after the receiver has ended the superstep.
[[noreturn, gnu::cold]] void report_late(const Node &from, const Node &to, const Inbox &inbox) {
    if (to.phase == Phase::Ended)
        mistake(from.superstep, "rank %d has already called bsp_end", to.process->world_rank());
    mistake(from.superstep,
            "rank %d has ended superstep %llu by counting: it expected %lld operations in it, and "
            "this is one more",
            to.process->world_rank(), static_cast<unsigned long long>(from.superstep),
            static_cast<long long>(inbox.wanted));
}

// Locks the inbox of `to` for the superstep of `from`. If the inbox does not serve that superstep
// yet, waits until recycle() has prepared it.
Inbox &lock_open_inbox(Node &from, Node &to) MAY_SUSPEND {
    Inbox &inbox = to.inboxes[from.superstep % sets];
    for (;;) {
        inbox.lock.lock();
        uint64_t served = inbox.superstep.load(std::memory_order_relaxed);
        if (served == from.superstep && !inbox.closed) [[likely]]
            return inbox;
        if (served >= from.superstep)
            report_late(from, to, inbox);
        Task &self = current_task();
        prepare_to_suspend(self);
        inbox.early.push(self);
        inbox.lock.unlock();
        EarlyBlockage blockage(from, to);
        Waiting waiting(blockage);
        suspend();
    }
}

// Delivers a message for which the receive buffer has no room, in memory of its own. The caller
// holds the lock; it is released. The operation is claimed before the copy, so that the owner knows
// that it is coming.
void deliver_in_backup(Node &from, Node &to, Inbox &inbox, const Message &header, Part tag,
                       Part payload) MAY_SUSPEND {
    ++inbox.claimed;
    inbox.lock.unlock();
    size_t size_bytes = header.size_bytes();
    ++(size_bytes > to.machine->buffer_bytes ? from.counters.large : from.counters.overflows);
    auto *message = static_cast<Message *>(allocate_message(size_bytes));
    write_message(message, header, tag, payload);
    lock_open_inbox(from, to);
    message->next = inbox.backup;
    inbox.backup = message;
    count_arrival(inbox, payload.size_bytes);
    unlock_and_wake(inbox);
}

} // namespace

void deliver(Node &from, Node &to, const Message &blank, Part tag, Part payload) {
    Message header = blank;
    header.source = from.pid;
    header.tag_bytes = static_cast<uint32_t>(tag.size_bytes);
    header.payload_bytes = payload.size_bytes;
    const size_t size_bytes = header.size_bytes();
    ++from.counters.operations;
    from.bytes_sent += payload.size_bytes;
    if (is_elsewhere(to)) [[unlikely]]
        return deliver_elsewhere(from, to, header, tag, payload);
    Inbox &inbox = lock_open_inbox(from, to);
    void *place = take_room(inbox, size_bytes, to.machine->buffer_bytes);
    if (!place) [[unlikely]]
        return deliver_in_backup(from, to, inbox, header, tag, payload);
    ++inbox.claimed;
    if (size_bytes <= locked_copy_bytes_max) {
        write_message(place, header, tag, payload);
    } else {
        inbox.lock.unlock();
        write_message(place, header, tag, payload);
        lock_open_inbox(from, to); // counting needs the lock again
    }
    count_arrival(inbox, payload.size_bytes);
    unlock_and_wake(inbox);
}

void submit(Node &from, Node &to, Request &request) {
    const size_t written = request.writes ? request.size_bytes : 0;
    request.origin = &from.inbox();
    from.bytes_sent += written;
    ++from.counters.operations;
    Inbox &own = *request.origin;
    // Counted before the target can see the request, because it may serve it at once.
    own.lock.lock();
    own.outstanding.store(own.outstanding.load(std::memory_order_relaxed) + 1,
                          std::memory_order_relaxed);
    own.lock.unlock();
    if (is_elsewhere(to)) [[unlikely]]
        return submit_elsewhere(from, to, request);
    Inbox &inbox = lock_open_inbox(from, to);
    request.next = inbox.requests.load(std::memory_order_relaxed);
    inbox.requests.store(&request, std::memory_order_relaxed);
    ++inbox.claimed;
    count_arrival(inbox, written);
    unlock_and_wake(inbox);
}

bool may_access(Node &from, Node &to) {
    if (to.begun.load(std::memory_order_acquire) < from.superstep) // [begun-1]
        return false;
    lock_open_inbox(from, to).lock.unlock(); // it has not ended the superstep
    return true;
}

void count_access(Node &from, Node &to, size_t size_bytes) {
    ++from.counters.operations;
    from.bytes_sent += size_bytes;
    Inbox &inbox = lock_open_inbox(from, to);
    ++inbox.claimed;
    count_arrival(inbox, size_bytes);
    unlock_and_wake(inbox);
}

namespace {

// The wait of a process at the end of a superstep, for reports.
struct CountBlockage : Blockage {
    CountBlockage(const Node &waiting, const Inbox &box) : node(waiting), inbox(box) {
        kind = Kind::Described;
        describe = [](const Blockage &blockage, char *text, size_t size_bytes) {
            const auto &b = static_cast<const CountBlockage &>(blockage);
            const auto superstep = static_cast<unsigned long long>(b.node.superstep);
            const int64_t arrived = b.inbox.arrived.load(std::memory_order_relaxed);
            if (arrived < b.inbox.wanted)
                std::snprintf(text, size_bytes,
                              " in superstep %llu: expected %lld operations, received %lld",
                              superstep, static_cast<long long>(b.inbox.wanted),
                              static_cast<long long>(arrived));
            else
                std::snprintf(
                    text, size_bytes,
                    " in superstep %llu: %lld of its own operations wait for processes "
                    "that have not ended the superstep",
                    superstep,
                    static_cast<long long>(b.inbox.outstanding.load(std::memory_order_relaxed)));
            return -1;
        };
    }

    const Node &node;
    const Inbox &inbox;
};

// Looks until something may have happened, or until looking is no longer worthwhile. Returns false
// in the latter case.
bool spin_for_news(const Inbox &inbox, unsigned &spins) {
    while (should_spin(spins)) {
        ++spins;
        cpu_pause();
        if (inbox.requests.load(std::memory_order_relaxed) || inbox.is_satisfied())
            return true;
    }
    return false;
}

} // namespace

namespace {

// Serves and waits until the inbox is satisfied. The caller holds the lock, and holds it again
// afterwards. Requests are served without it, as that copies data.
void wait_with_lock(Node &node, Inbox &inbox) MAY_SUSPEND {
    CountBlockage blockage(node, inbox);
    unsigned spins = 0;
    bool may_spin = true;
    for (;;) {
        if (Request *first = inbox.requests.load(std::memory_order_relaxed)) {
            inbox.requests.store(nullptr, std::memory_order_relaxed);
            inbox.lock.unlock();
            serve(node, first);
            inbox.lock.lock();
            continue;
        }
        if (inbox.is_satisfied())
            return;
        if (may_spin) {
            inbox.lock.unlock();
            may_spin = spin_for_news(inbox, spins);
            inbox.lock.lock();
            continue;
        }
        Task &self = current_task();
        prepare_to_suspend(self);
        inbox.waiter = &self;
        inbox.lock.unlock();
        {
            Waiting waiting(blockage);
            suspend();
        }
        inbox.lock.lock();
    }
}

// Takes the entries of this superstep out of `ahead`, and counts them. The caller holds the lock.
Ahead *take_ahead(Inbox &inbox, uint64_t superstep) {
    Ahead *taken = nullptr;
    for (Ahead **link = &inbox.ahead; Ahead *ahead = *link;) {
        if (ahead->superstep != superstep) {
            link = &ahead->next;
            continue;
        }
        *link = ahead->next;
        ahead->next = taken;
        taken = ahead;
        ++inbox.claimed;
        ++inbox.from_elsewhere;
        if (Message *message = ahead->message) {
            message->next = inbox.backup;
            inbox.backup = message;
            count_arrival(inbox, message->payload_bytes);
        } else {
            Request &request = *ahead->request;
            request.next = inbox.requests.load(std::memory_order_relaxed);
            inbox.requests.store(&request, std::memory_order_relaxed);
            count_arrival(inbox, request.writes ? request.size_bytes : 0);
        }
    }
    return taken;
}

} // namespace

void wait_for_operations(Node &node, int64_t wanted) {
    Inbox &inbox = node.inbox();
    inbox.lock.lock();
    inbox.wanted = wanted;
    wait_with_lock(node, inbox);
    inbox.closed = true;
    inbox.lock.unlock();
}

void wait_until_satisfied(Node &node, Inbox &inbox) {
    inbox.lock.lock();
    wait_with_lock(node, inbox);
    inbox.lock.unlock();
}

// Senders are woken and memory is freed after the lock is released; the entries that were ahead are
// admitted last, as that may send Go.
void recycle(Node &node, Inbox &inbox, uint64_t superstep) {
    TaskList early;
    inbox.lock.lock();
    Message *backup = inbox.backup;
    inbox.backup = nullptr;
    inbox.filled = 0;
    inbox.claimed = inbox.from_elsewhere = 0;
    inbox.bytes = 0;
    inbox.arrived.store(0, std::memory_order_relaxed);
    inbox.closed = false;
    inbox.superstep.store(superstep, std::memory_order_relaxed);
    std::swap(early, inbox.early);
    Ahead *ahead = inbox.ahead ? take_ahead(inbox, superstep) : nullptr;
    inbox.lock.unlock();
    make_all_runnable(early);
    while (backup) {
        Message *message = backup;
        backup = message->next;
        if (message->is_announced)
            free_announced(message);
        else
            std::free(message);
    }
    if (ahead)
        admit_ahead(node, ahead);
}

void free_buffers(Node &node, Inbox &inbox) {
    recycle(node, inbox, 0);
    inbox.closed = true;
    std::free(inbox.buffer);
    inbox.buffer = nullptr;
}

} // namespace thrum::bsp
