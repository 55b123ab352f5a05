// Stop and Go (stop_and_go.h). Their numbers decide, as they may overtake each other.
#include "bsp/stop_and_go.h"

#include "rank/rank.h"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace thrum::bsp {
namespace {

// Sends Stop or Go on behalf of `from`, which need not be the caller's, to a process elsewhere.
void send_control(uint32_t number, const Node &from, const Node &to) MAY_SUSPEND {
    PacketHeader header;
    header.what = Flow::is_stop(number) ? PacketKind::Stop : PacketKind::Go;
    header.origin = number;
    header.from = from.pid;
    header.to = to.pid;
    send_packet(to.node_process, header);
}

} // namespace

void wait_while_stopped(Node &from, const Node &to) {
    struct StoppedBlockage : Blockage {
        StoppedBlockage(const Node &sender, const Node &receiver) : from(sender), to(receiver) {
            kind = Kind::Described;
            describe = [](const Blockage &blockage, char *text, size_t size_bytes) {
                const auto &b = static_cast<const StoppedBlockage &>(blockage);
                std::snprintf(
                    text, size_bytes,
                    " in superstep %llu to rank %d, which is still in an earlier superstep",
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

void forget_sent(Node &node) {
    for (int pid : node.flow->sent_to)
        node.flow->sent[static_cast<size_t>(pid)] = {};
    node.flow->sent_to.clear();
}

void note_ahead(Node &to, const Ahead &ahead) {
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

void admit_ahead(Node &node, Ahead *first) {
    Flow &flow = *node.flow;
    while (Ahead *ahead = first) {
        first = ahead->next;
        const auto source = static_cast<size_t>(ahead->source);
        uint32_t go = 0;
        flow.lock.lock();
        flow.ahead_bytes[source] -= static_cast<int64_t>(ahead->size_bytes);
        // Not before it is half empty, so that Stop and Go do not alternate with each operation.
        if (flow.ahead_bytes[source] <= static_cast<int64_t>(node.machine->buffer_bytes / 2) &&
            Flow::is_stop(flow.said[source]))
            go = ++flow.said[source];
        flow.lock.unlock();
        delete ahead;
        if (go)
            send_control(go, node, node.machine->nodes[source]);
    }
}

void flow_arrived(Machine &machine, const PacketHeader &header) {
    Flow &flow = *machine.nodes[static_cast<size_t>(header.to)].flow;
    Task *awake = nullptr;
    flow.lock.lock();
    uint32_t &heard = flow.heard[static_cast<size_t>(header.from)];
    heard = std::max(heard, static_cast<uint32_t>(header.origin));
    if (header.what == PacketKind::Go)
        std::swap(awake, flow.waiter);
    flow.lock.unlock();
    if (awake)
        make_runnable(*awake);
}

} // namespace thrum::bsp
