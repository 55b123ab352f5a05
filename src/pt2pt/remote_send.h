// Messages to ranks and packets to processes elsewhere: the way of an envelope out, and what waits
// for an answer to it.
#pragma once
#include "base/node_process.h"
#include "pt2pt/outgoing.h"

#include <string>

namespace thrum {

struct Process;

// As their namesakes in send.h; the receiver is in another process.
bool send_to_process(const Outgoing &out, const Process &receiver, Buffering buffering) MAY_SUSPEND;
void leave_envelope_at_process(SendRequest &request, const Process &receiver) MAY_SUSPEND;
// MPI_Cancel of such a send: the request completes as cancelled if no receive has met the message.
void cancel_at_process(SendRequest &request, const Process &receiver) MAY_SUSPEND;

// Sends a packet from process to process, for collective operations, under an envelope whose source
// is the number of this process. Packets keep their order under one envelope.
//
// Calls released(argument) once the data are not needed any more, perhaps before it returns.
// `said`: what the sender takes the operation for; the receiver compares.
void send_packet(NodeProcess process, const Envelope &envelope, uint32_t said, const void *data,
                 size_t size_bytes, void (*released)(void *argument), void *argument) MAY_SUSPEND;

// Tells `process` that the operation that has this envelope's context and tag has failed: what
// waits there for its packets, or will, gets the fault.
void send_fault(NodeProcess process, const Envelope &envelope, int fault,
                const std::string &sentence) MAY_SUSPEND;

// How the wait for an answer ends.
enum class SendEnd : uint8_t { Done, Cancelled, Lost };

// The send that the other process knows as `sender` has been answered.
void end_send(uint64_t sender, SendEnd end);
// Ends all that wait for `process`, which is lost.
void fail_sends(NodeProcess process);

} // namespace thrum
