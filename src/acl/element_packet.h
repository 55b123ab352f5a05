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

struct ElementHeader {
    ElementPacket kind;
    int dest;   // number in the job of the PE that it goes to; Stop, Go: of the PE that has sent it
    int source; // address of the PE that has sent it
    int tag;    // of Async; Stop, Go: number, the larger one was sent later
    uint64_t size_bytes; // of the message
    RemoteMemory memory; // of Data that did not come along
};

static_assert(sizeof(ElementHeader) <= header_bytes_max);

// Sends a packet to a node process. If that is lost, the job ends (lifecycle/bound_ranks.h).
void send_element_packet(NodeProcess process, const ElementHeader &header,
                         const void *data = nullptr) MAY_SUSPEND;
// Sends a packet to the PE that the header names.
void send_to_element(const ElementHeader &header, const void *data = nullptr) MAY_SUSPEND;

} // namespace thrum
