// Messages to ranks, and packets to processes, elsewhere: how an envelope is sent, and what waits
// for an answer to it.
#pragma once
#include "base/node_process.h"
#include "pt2pt/outgoing.h"
#include "pt2pt/packet_queue.h"

namespace thrum {

struct Process;

// Do the same as send_now() and leave_envelope() (send.h) if the receiver is in another process.
bool send_to_process(const Outgoing &out, const Process &receiver, Buffering buffering) MAY_SUSPEND;
void leave_envelope_at_process(SendRequest &request, const Process &receiver) MAY_SUSPEND;
// Cancels such a send (MPI_Cancel): the request completes as cancelled if no receive has matched
// the message.
void cancel_at_process(SendRequest &request, const Process &receiver) MAY_SUSPEND;

// Sends a packet from process to process, for collective operations, under an envelope whose source
// is the number of this process. Packets under one envelope keep their order.
//
// Calls released(argument) when the data are no longer needed, perhaps before it returns. The
// receiver compares the label.
void send_packet(NodeProcess process, const Envelope &envelope, const PacketLabel &label,
                 const void *data, size_t size_bytes, void (*released)(void *argument),
                 void *argument) MAY_SUSPEND;

// Reports to `process` that the operation of this envelope's context and tag has failed. Receives
// that wait there for its packets, or will, fail.
void send_fault(NodeProcess process, const Envelope &envelope,
                const PacketFault &fault) MAY_SUSPEND;

// How the wait for an answer ends.
enum class SendEnd : uint8_t { Done, Cancelled, Lost };

// Ends the send whose number in the other process is `sender`; `end` says how.
void end_send(uint64_t sender, SendEnd end);
// Ends all sends that wait for the lost `process`.
void fail_sends(NodeProcess process);

} // namespace thrum
