// Flow control between node processes: what a process has sent to others in this superstep, and
// Stop and Go for a sender that is farther ahead than inboxes reach (superstep_packet.h).
#pragma once
#include "bsp/machine.h"
#include "bsp/superstep_packet.h"

namespace thrum::bsp {

// Waits while `to`, elsewhere, has told `from`, the caller, to stop.
void wait_while_stopped(Node &from, const Node &to) MAY_SUSPEND;
// Counts an operation of this superstep.
Flow::Sent &count_sent(Node &from, const Node &to);
// The superstep has ended.
void forget_sent(Node &node);

// Records what has come for a superstep that `to` does not serve yet. Tells its sender to stop if
// it is more than a receive buffer holds.
void note_ahead(Node &to, const Ahead &ahead) MAY_SUSPEND;
// Frees what inbox.ahead held for the superstep that begins to be served. Tells senders to go on.
void admit_ahead(Node &node, Ahead *first) MAY_SUSPEND;
// Stop or Go has arrived.
void flow_arrived(Machine &machine, const PacketHeader &header);

} // namespace thrum::bsp
