// Barriers of the processes of a node (docs/between_processes.md): they meet at a gate in shared
// memory (fabric/gate.h), which belongs to the first of them, the *leader*. The first blocking
// barrier of a communicator goes by packets, and hands the gate's number out behind it.
//
//   members  arrive, wait until it is opened  (on one node: until all have arrived)
//   leader   arrives, waits until all have arrived, does the network's part by packets, opens it
//
// Once an operation has failed the gate is given up, and packets are used again.
#pragma once
#include "coll/spanning.h"

namespace thrum {

// The gate of this process and others of its node; nullptr: there is none, or none any more.
Gate *gate_of_node(const ProcessMap &span);
// In the first barrier, after all have come: makes one, or finds out that there will be none.
// `list`: all processes, those of a node behind one another.
Flow agree_on_gate(Joint &joint, const std::vector<int> &list);

// Ends the wait of all at the gate, if there is one. Any thread.
void give_up_gate(const ProcessMap &span);

// Arrives, if there is a gate, and looks for a moment whether the others do.
GateArrival come_to_gate(const ProcessMap &span, uint64_t occasion, Gate::Visitor self);
// Waits as long as it takes. If it is not over then, the gate has been given up: the barrier shall
// be done by packets.
Flow wait_at_gate(Joint &joint, GateArrival &arrival);
// By the leader.
void open_gate(Joint &joint);

} // namespace thrum
