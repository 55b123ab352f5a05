// Flow control between node processes: what a process has sent to others in this superstep, and
// Stop and Go for a sender that is farther ahead than inboxes reach (superstep_packet.h).
#pragma once
#include "bsp/machine.h"
#include "bsp/superstep_packet.h"

namespace thrum::bsp {

// Waits while the latest word of `to`, a process elsewhere, to `from`, the caller's, is Stop.
void wait_while_stopped(Node &from, const Node &to) MAY_SUSPEND;
// Counts an operation of this superstep. Returns what has been sent to that process.
Flow::Sent &count_sent(Node &from, const Node &to);
// Resets what has been sent, at the end of the superstep.
void forget_sent(Node &node);

// Counts an arrival for a superstep that `to` does not serve yet. Sends Stop to its sender if that
// has more than a receive buffer's worth waiting.
void note_ahead(Node &to, const Ahead &ahead) MAY_SUSPEND;
// Frees the entries of inbox.ahead for a superstep that begins to be served, and sends Go where
// there is room again.
void admit_ahead(Node &node, Ahead *first) MAY_SUSPEND;
// Handles a Stop or Go.
void flow_arrived(Machine &machine, const PacketHeader &header);

} // namespace thrum::bsp
