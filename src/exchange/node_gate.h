// Barriers of the processes of a node (docs/between_processes.md). The processes meet at a gate in
// shared memory (fabric/channel/gate.h), which belongs to the first of them, the *leader*. The
// first blocking barrier of a communicator uses packets, and afterwards distributes the gate's
// number.
//
//   members  arrive, wait until it is opened  (on one node: until all have arrived)
//   leader   arrives, waits until all have arrived, does the network's part by packets, opens it
//
// Once an operation has failed the gate is given up, and packets are used again.
#pragma once
#include "base/may_suspend.h"
#include "exchange/exchange.h"
#include "exchange/gate_membership.h"

namespace thrum {

// The arrival of this process at the gate of its node.
struct GateArrival {
    Door *door = nullptr; // where it waits; nullptr: there is no gate
    uint32_t before = 0;
    bool is_over = false; // it need not wait any longer
    bool leads = false;   // it has to open the gate for the others

    bool passed() const { return is_over && !leads; }
};

// Returns the gate of this process and others of its node; nullptr: there is none, or no longer.
Gate *gate_of_node(const ProcessMap &span);
// Ends the wait of all processes at the gate, if there is one. Any thread may call it.
void give_up_gate(const ProcessMap &span);

// Arrives at the gate, if there is one, and spins briefly for the others. `call`: code of the call
// site of the process's first member.
GateArrival come_to_gate(const ProcessMap &span, uint64_t occasion, Gate::Visitor self,
                         uint64_t call);
// Waits for the gate. If the arrival is not over afterwards, the gate was given up, and packets
// must do the barrier.
Flow wait_at_gate(Exchange &exchange, GateArrival &arrival) MAY_SUSPEND;
// Opens the gate; only the leader calls it.
void open_gate(const ProcessMap &span);

} // namespace thrum
