// At which door of the gate a process waits, and which process opens it.
#include "exchange/node_gate.h"

#include "fiber/sanitizer.h"
#include "fiber/worker.h"
#include "wireup/wireup.h"

#include <algorithm>
#include <cstring>

namespace thrum {
namespace {

using State = GateMembership::State;

bool leads(const GateMembership &here) {
    return here.processes.front() == this_node_process();
}

} // namespace

void leave_gate(GateMembership *membership) {
    if (membership->state == State::There && leads(*membership))
        fabric_return_gate(membership->number);
    delete membership;
}

Gate *gate_of_node(const ProcessMap &span) {
    const GateMembership &here = gate_membership_of(span);
    // relaxed: a process that does not see it yet is turned away while it waits.
    return here.state == State::There && !here.gate->given_up.load(std::memory_order_relaxed)
               ? here.gate
               : nullptr;
}

void give_up_gate(const ProcessMap &span) {
    if (const GateMembership &here = gate_membership_of(span); here.state == State::There)
        fabric_give_up_gate(*here.gate, here.processes);
}

// The leader waits at the door `completed` and opens `opened` later; the others wait at `opened`.
// If all processes of the communicator are on this node, all wait at `completed`, and no packets
// are needed. A rank whose worker has other ranks to run does not spin at the gate.
GateArrival come_to_gate(const ProcessMap &span, uint64_t occasion, Gate::Visitor self,
                         uint64_t call) {
    Gate *gate = gate_of_node(span);
    if (!gate)
        return {};
    const GateMembership &here = gate_membership_of(span);
    GateArrival arrival;
    arrival.leads = leads(here) && !here.is_all;
    arrival.door = arrival.leads || here.is_all ? &gate->completed : &gate->opened;
    arrival.before = arrival.door->now(); // changes when all have arrived
    sanitizer::message_leaves();
    if (gate->arrive(occasion, self, call, static_cast<uint32_t>(here.processes.size()))) {
        const std::span all(here.processes);
        fabric_open_door(gate->completed, here.is_all ? all : all.first(1));
        arrival.is_over = arrival.door == &gate->completed;
    } else if (const Task &task = current_task();
               task.kind == TaskKind::OsThread || !task.worker->has_work()) {
        arrival.is_over = fabric_look_at_gate({gate, arrival.door, arrival.before, occasion, {}});
    }
    if (arrival.is_over)
        sanitizer::message_has_come();
    return arrival;
}

Flow wait_at_gate(Exchange &exchange, GateArrival &arrival) {
    Gate &gate = *gate_membership_of(exchange.span()).gate;
    co_await exchange.wait_at(gate, *arrival.door, arrival.before);
    arrival.is_over = arrival.door->now() != arrival.before; // [gate-4]
    sanitizer::message_has_come();
}

void open_gate(const ProcessMap &span) {
    const GateMembership &here = gate_membership_of(span);
    sanitizer::message_leaves();
    fabric_open_door(here.gate->opened, here.processes);
}

} // namespace thrum
