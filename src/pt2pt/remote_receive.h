// Messages from other processes: what happens when an envelope arrives here, and when it meets its
// receive.
#pragma once
#include "pt2pt/control_message.h"
#include "pt2pt/envelope_message.h"
#include "pt2pt/packet_queue.h"

namespace thrum {

// Takes in an envelope: the arrive function of MessageKind::Envelope.
void envelope_arrived(void *, const Arrival &arrival) MAY_SUSPEND;
// Takes a message out of its queue whose sender has cancelled it, unless a receive has met it.
void cancel_arrived(NodeProcess source, const ControlHeader &header) MAY_SUSPEND;

// Gives the message to `request`, which has met it. True if it is complete, without its completion
// word being touched; false: it will be completed when the data have been fetched.
bool receive_arrival(RemoteArrival &arrival, ReceiveRequest &request) MAY_SUSPEND;

// True if it is complete, without its completion word being touched.
bool receive_packet(PacketReceive &request) MAY_SUSPEND;

} // namespace thrum
