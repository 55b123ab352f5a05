// Barriers of the processes of a node (docs/between_processes.md): they meet at a gate in shared
// memory (fabric/gate.h), which belongs to the first of them, the *leader*. The first blocking
// barrier of a communicator goes by packets, and hands the gate's number out behind it.
//
//   members  arrive, wait until it is opened  (on one node: until all have arrived)
//   leader   arrives, waits until all have arrived, does the network's part by packets, opens it
//
// Once an operation has failed the gate is given up, and packets are used again.
#pragma once
#include "base/may_suspend.h"
#include "exchange/exchange.h"

namespace thrum {

// Of this process in a barrier at the gate of its node .
struct GateArrival {
    Door *door = nullptr; // at which it waits; nullptr: there is no gate
    uint32_t before = 0;
    bool is_over = false; // it need not wait any more
    bool leads = false;   // it has to open the gate for others

    bool passed() const { return is_over && !leads; }
};

// The gate of this process and others of its node; nullptr: there is none, or none any more.
Gate *gate_of_node(const ProcessMap &span);
// Ends the wait of all at the gate, if there is one. Any thread.
void give_up_gate(const ProcessMap &span);

// Arrives, if there is a gate, and looks for a moment whether the others do.
GateArrival come_to_gate(const ProcessMap &span, uint64_t occasion, Gate::Visitor self);
// Waits as long as it takes. If it is not over then, the gate has been given up: the barrier shall
// be done by packets.
Flow wait_at_gate(Exchange &exchange, GateArrival &arrival) MAY_SUSPEND;
// By the leader.
void open_gate(const ProcessMap &span);

} // namespace thrum
