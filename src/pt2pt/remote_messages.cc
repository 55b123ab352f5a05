// What travels between node processes:
//
//   sender                                        receiver's process
//   eager       Envelope + data ----------------> posted receive or unexpected queue
//   synchronous Envelope + data ----------------> the same; when it is matched:
//                       <------------------ Done
//   rendezvous  Envelope (memory) --------------> matched: fabric_read of the memory, then
//                       <------------------ Done
//   cancel      Cancel -------------------------> still unexpected: is taken out
//                       <------------------ Cancelled
//   departure           <------------------ AskDeparture
//               Departed ------------------> behind all messages of that rank (departure.h)
//
// Arrive functions run one at a time in a process (fabric/fabric.h), on any thread, and wait for
// nothing. Buffered and synchronous messages always ask for Done.
//
// Where to read on: the way out is remote_send.cc, the way in remote_receive.cc, the data of a
// rendezvous fetch.cc, Stop and Go flow_control.cc.
#include "pt2pt/remote_messages.h"

#include "base/check.h"
#include "pt2pt/departure.h"
#include "pt2pt/flow_control.h"
#include "pt2pt/lost.h"
#include "pt2pt/remote_receive.h"
#include "pt2pt/remote_send.h"
#include "wireup/wireup.h"

#include <cstring>

namespace thrum {
namespace {

// Reads what send_fault() has sent.
PacketFault fault_of(const ControlHeader &header, const Arrival &arrival) {
    PacketFault fault{header.dest, {}, {}};
    CHECK(arrival.payload_bytes >= sizeof fault.calls);
    std::memcpy(&fault.calls, arrival.payload, sizeof fault.calls);
    fault.sentence.assign(static_cast<const char *>(arrival.payload) + sizeof fault.calls,
                          arrival.payload_bytes - sizeof fault.calls);
    return fault;
}

// Passes a control message to its unit.
void control_arrived(void *, const Arrival &arrival) MAY_SUSPEND {
    ControlHeader header;
    CHECK(arrival.header_bytes == sizeof header);
    std::memcpy(&header, arrival.header, sizeof header);
    switch (header.what) {
    case Control::Done:
        return end_send(header.sender, SendEnd::Done);
    case Control::Cancelled:
        return end_send(header.sender, SendEnd::Cancelled);
    case Control::Fault:
        return fail_packets_of(
            {static_cast<uint32_t>(header.sender), 0, static_cast<int>(header.serial)},
            fault_of(header, arrival));
    case Control::Lost:
        return fabric_lose(NodeProcess(header.dest));
    case Control::Cancel:
        return cancel_arrived(arrival.source, header);
    case Control::Stop:
    case Control::Go:
        return permission_arrived(header);
    case Control::AskDeparture:
        return departure_is_asked_for(arrival.source, header.dest,
                                      static_cast<SendingModel>(header.serial), header.sender);
    case Control::Departed:
        return departure_is_told(header.sender);
    }
}

// Reports the loss to other nodes; the processes of the same node see it themselves. Each process
// that learns of it tells those at the distances 1, 2, 4...: so all are told, even if some of them
// are lost, too.
void tell_other_nodes_of_loss(NodeProcess process) MAY_SUSPEND {
    const int count = node_process_count();
    if (origin() || process.number() >= count) // the launchers report these
        return;
    for (int distance = 1; distance < count; distance *= 2)
        if (NodeProcess other((this_node_process().number() + distance) % count);
            node_of(other) != node_of(process))
            send_control(other, {Control::Lost, 0, 0, process.number()});
}

// Completes whatever waits for an answer or a packet of a lost process.
void end_messages_of(NodeProcess process) MAY_SUSPEND {
    if (!is_lost_process(process)) // it has left in order, after its last message
        return;
    fail_sends(process);
    fail_packets_with(process);
    tell_other_nodes_of_loss(process);
}

} // namespace

void begin_remote_messages() {
    set_arrive_function(MessageKind::Envelope, envelope_arrived);
    set_arrive_function(MessageKind::PointToPointControl, control_arrived);
    when_process_is_lost(end_messages_of);
}

} // namespace thrum
