// The packets that PEs of different node processes send each other (docs/between_processes.md).
//
//   synchronous   sender                            receiver
//                 Data, when it sends  -----------> waits for it, or finds it later
//                 waits for it, or finds it  <----- Ready, when it receives
//   large         Data (memory)  -----------------> waits for it; reads the memory
//                 waits for it  <------------------ Taken
//   asynchronous  Async  -------------------------> the list of the receiver's pool
//                                  <--------------- Stop, when it has too much; Go
//   acl_end       Silence, to each other process, behind everything else
//
// Ready is the paper's request. Here the sender does not wait for it before it sends, but before it
// returns: the second of the two finds what it needs, and a message costs two packets in any order.
#pragma once
#include "fabric/fabric.h"

namespace thrum {

enum class ElementPacket : uint32_t { Data, Ready, Taken, Async, Stop, Go, Silence };

// The header of every packet.
struct ElementHeader {
    ElementPacket kind;
    int dest;            // number in the job of the receiving PE; Stop, Go: of the PE that sends it
    int source;          // address of the sending PE
    int tag;             // Async: the message's; Stop, Go: their number, the larger is later
    uint64_t size_bytes; // of the message
    RemoteMemory memory; // large Data: where they are; otherwise no bytes
};

static_assert(sizeof(ElementHeader) <= header_bytes_max);

// Sends a packet to a node process. If that process is lost, the job ends
// (lifecycle/bound_ranks.h).
void send_element_packet(NodeProcess process, const ElementHeader &header,
                         const void *data = nullptr) MAY_SUSPEND;
// Sends a packet to the process of the PE that the header names.
void send_to_element(const ElementHeader &header, const void *data = nullptr) MAY_SUSPEND;

} // namespace thrum
