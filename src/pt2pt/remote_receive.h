// Messages from other processes: what happens when an envelope arrives here, and when it meets its
// receive.
#pragma once
#include "pt2pt/control_message.h"
#include "pt2pt/envelope_message.h"
#include "pt2pt/packet_queue.h"

namespace thrum {

// Handles an envelope: the arrive function of MessageKind::Envelope.
void envelope_arrived(void *, const Arrival &arrival) MAY_SUSPEND;
// Takes a message that its sender has cancelled out of its queue and answers Cancelled. If a
// receive has matched it, nothing is done: Done is the answer.
void cancel_arrived(NodeProcess source, const ControlHeader &header) MAY_SUSPEND;

// Gives the message to `request`, which has matched it; frees `arrival`. Returns true if the
// request is complete, without touching its completion word. Returns false if it will be completed
// when the data have been read.
bool receive_arrival(RemoteArrival &arrival, ReceiveRequest &request) MAY_SUSPEND;

// Receives a packet, or posts the request. Returns true if it is complete or has failed, without
// touching its completion word.
bool receive_packet(PacketReceive &request) MAY_SUSPEND;

} // namespace thrum
