// See superstep.h.
#include "bsp/superstep.h"

#include "base/bytes.h"
#include "base/clock.h"
#include "image/image.h"

#include <climits>
#include <cstdio>
#include <cstring>

namespace thrum::bsp {
namespace {

// ---- who may

void check_may_synchronise(const Node &node) {
    if (node.phase == Phase::InHandlers)
        mistake(node.superstep, "called by a handler, which runs while its process synchronises");
}

unsigned long long number(uint64_t superstep) {
    return superstep;
}

// ---- all together

struct GlobalBlockage : Blockage {
    explicit GlobalBlockage(const Node &waiting) : node(waiting) {
        kind = Kind::Described;
        describe = [](const Blockage &blockage, char *text, size_t size_bytes) {
            return static_cast<const GlobalBlockage &>(blockage).write(text, size_bytes);
        };
    }

    // Everybody is blocked meanwhile.
    int write(char *text, size_t size_bytes) const {
        int missing = -1, count = 0;
        for (int pid = 0; pid < node.machine->size; ++pid) {
            const Node &other = node.machine->nodes[static_cast<size_t>(pid)];
            bool is_counting = other.superstep > node.superstep ||
                               (other.superstep == node.superstep &&
                                other.phase == Phase::Synchronising && other.counts);
            if (is_counting) {
                std::snprintf(text, size_bytes, " in superstep %llu, which rank %d %s by counting",
                              number(node.superstep), other.process->world_rank(),
                              other.superstep > node.superstep ? "has ended" : "ends");
                return other.process->world_rank();
            }
            if (other.superstep < node.superstep || other.phase == Phase::Computing) {
                missing = other.process->world_rank();
                ++count;
            }
        }
        char others[32] = "";
        if (count > 1)
            std::snprintf(others, sizeof others, " and %d more", count - 1);
        if (missing < 0)
            std::snprintf(text, size_bytes, " in superstep %llu", number(node.superstep));
        else
            std::snprintf(text, size_bytes, " in superstep %llu; not there: rank %d%s",
                          number(node.superstep), missing, others);
        return count == 1 ? missing : -1;
    }

    const Node &node;
};

[[noreturn, gnu::cold]] void report_dispute(const Node &node, const Barrier::Announcement &mine,
                                            int first, const Barrier::Announcement &theirs) {
    const int own_rank = node.process->world_rank();
    const int rank = node.machine->nodes[static_cast<size_t>(first)].process->world_rank();
    auto how = [](const Barrier::Announcement &said) {
        return said.is_end ? "bsp_end" : "a global synchronisation";
    };
    if (mine.superstep != theirs.superstep)
        mistake(node.superstep,
                "rank %d ends superstep %llu by %s, but rank %d its superstep %llu by %s: all "
                "processes must end each superstep in the same way, globally or by counting",
                own_rank, number(mine.superstep), how(mine), rank, number(theirs.superstep),
                how(theirs));
    if (mine.is_end != theirs.is_end)
        mistake(node.superstep, "rank %d ends the superstep by %s, but rank %d by %s", own_rank,
                how(mine), rank, how(theirs));
    mistake(node.superstep,
            "ranks %d and %d have not made the same calls of bsp_push_reg, bsp_pop_reg and "
            "bsp_set_tagsize in this superstep or an earlier one",
            own_rank, rank);
}

void wait_at_barrier(const Node &node, Barrier &barrier, uint64_t passed) MAY_SUSPEND {
    // acquire [barrier-1]: what all have done before they came; pairs with [barrier-2].
    auto is_open = [&] {
        return barrier.passed.load(std::memory_order_acquire) != passed;
    };
    for (unsigned spins = 0; should_spin(spins); ++spins) {
        if (is_open())
            return;
        cpu_pause();
    }
    barrier.lock.lock();
    if (is_open()) {
        barrier.lock.unlock();
        return;
    }
    Task &self = current_task();
    prepare_to_suspend(self);
    barrier.waiters.push(self);
    barrier.lock.unlock();
    GlobalBlockage blockage(node);
    Waiting waiting(blockage);
    suspend();
}

void meet_all(Node &node, bool is_end) MAY_SUSPEND {
    ++node.counters.synchronisations;
    Barrier &barrier = node.machine->barrier;
    const Barrier::Announcement mine{node.superstep, is_end, node.registrations.digest()};
    barrier.lock.lock();
    if (barrier.arrived++ == 0) {
        barrier.said = mine;
        barrier.first = node.pid;
    } else if (mine.superstep != barrier.said.superstep || mine.is_end != barrier.said.is_end ||
               mine.digest != barrier.said.digest) [[unlikely]] {
        const int first = barrier.first;
        const Barrier::Announcement theirs = barrier.said;
        barrier.lock.unlock();
        report_dispute(node, mine, first, theirs);
    }
    const uint64_t passed = barrier.passed.load(std::memory_order_relaxed);
    if (barrier.arrived < node.machine->size) {
        barrier.lock.unlock();
        wait_at_barrier(node, barrier, passed);
        return;
    }
    TaskList awake;
    std::swap(awake, barrier.waiters);
    barrier.arrived = 0;
    barrier.passed.store(passed + 1, std::memory_order_release); // [barrier-2]
    barrier.lock.unlock();
    make_all_runnable(awake);
}

// ---- what has come

void run_handlers(Node &node) MAY_SUSPEND {
    if (node.handled.empty())
        return;
    node.phase = Phase::InHandlers;
    for (Message *message : node.handled) {
        // The sender's function, in its copy of the program.
        auto *handler = reinterpret_cast<cbsp_handler *>(translate(
            node.process->rank->image, original_of(reinterpret_cast<void *>(message->handler))));
        void *data = message->kind == MessageKind::Present ? message->payload() : message->address;
        handler(message->source, data, static_cast<int>(message->payload_bytes));
    }
    node.handled.clear();
}

void receive(Node &node, Message &message) {
    if (message.kind == MessageKind::Tagged) {
        node.queue.push_back(&message);
        return;
    }
    if (message.kind == MessageKind::Put) {
        message.address = place_in_area(node, message.area, message.offset, message.payload_bytes,
                                        message.origin);
    } else if (message.kind == MessageKind::Write && !message.is_checked &&
               !node.registrations.find_containing(message.address, message.payload_bytes)) {
        mistake_at(message.origin, node.superstep,
                   "destination %p (%zu bytes) is no global variable, nor in an area that rank %d "
                   "or the caller has registered",
                   message.address, message.payload_bytes, node.process->world_rank());
    }
    if (message.kind != MessageKind::Present && message.payload_bytes)
        copy_bytes(message.address, message.payload(), message.payload_bytes);
    if (message.handler)
        node.handled.push_back(&message);
}

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

// All has come that comes in this superstep.
void begin_next(Node &node) MAY_SUSPEND {
    const Inbox &inbox = node.inbox();
    uint64_t bytes_in = inbox.bytes;
    for (const Request *get : node.gets) {
        copy_bytes(get->destination, get->local, get->size_bytes);
        bytes_in += get->size_bytes;
    }
    node.gets.clear();
    node.arena.reset();
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
    // release [begun-1]: all writes of the superstep before; pairs with [begun-2].
    node.begun.store(node.superstep, std::memory_order_release);
    recycle(node.inboxes[(node.superstep + 2) % sets], node.superstep + 2);
}

void start(Node &node, bool by_counting) {
    check_may_synchronise(node);
    node.phase = Phase::Synchronising;
    node.counts = by_counting;
    if (node.profile) [[unlikely]]
        node.profile->synchronising_ns = now_ns();
}

} // namespace

char *place_in_area(const Node &owner, uint64_t area_number, size_t offset, size_t size_bytes,
                    const Place &origin) {
    const Area *area = owner.registrations.numbered(area_number);
    const int rank = owner.process->world_rank();
    if (!area)
        mistake_at(origin, owner.superstep,
                   "rank %d has no area that goes with this address: it was not registered there, "
                   "or has been popped",
                   rank);
    if (offset > area->size_bytes || size_bytes > area->size_bytes - offset)
        mistake_at(origin, owner.superstep,
                   "bytes %zu to %zu are not within the area of rank %d, which has registered %zu "
                   "bytes",
                   offset, offset + size_bytes, rank, area->size_bytes);
    return area->address + offset;
}

void serve(Node &node, Request *first) {
    while (Request *request = first) {
        first = request->next;
        char *place = place_in_area(node, request->area, request->offset, request->size_bytes,
                                    request->place);
        if (request->writes) {
            copy_bytes(place, request->local, request->size_bytes);
        } else {
            copy_bytes(request->local, place, request->size_bytes);
            node.bytes_sent += request->size_bytes;
        }
        finish(*request);
    }
}

void synchronise_by_counting(int64_t count) {
    Node &node = current_node();
    start(node, true);
    if (count < 0)
        mistake(node.superstep, "count is %lld, but must not be negative",
                static_cast<long long>(count));
    // relaxed: only to tell early what bsp_sync would find out, or a deadlock report.
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
    wait_for_operations(node, 0);
    ++node.counters.supersteps_global;
    begin_next(node);
}

void meet_at_end(Node &node) {
    start(node, false);
    meet_all(node, true);
    const Inbox &inbox = node.inbox();
    if (inbox.claimed > 0)
        mistake(node.superstep,
                "%lld operations of the last superstep have come to this process and would be "
                "lost: call bsp_sync before bsp_end",
                static_cast<long long>(inbox.claimed));
}

} // namespace thrum::bsp
