// Supersteps across node processes: the packets between them (docs/between_processes.md).
//
//   origin's process                              target's process
//   put, send      Message + data --------------> the inbox of its superstep; ahead of it: kept
//   overflow, large Announcement ---------------> the inbox; at the end of the superstep:
//     (a copy of the data waits at the sender)    fabric_read directly to the destination
//                  <-------------------- Fetched
//   get            Get -------------------------> the inbox's requests; when the target
//                                                 synchronises:
//                  <------------- Answer + data
//   large hpput    Write -----------------------> the same; fabric_read from the source itself
//                  <-------------------- Written
//   global end     Sums, up a tree; Totals, down  (barrier.h)
//   a process has sent too much to one that is behind:
//                  <----------------------- Stop, and when that has caught up: Go
//   a mistake that another process detects: Mistake, to the process of the call
//
// Counting synchronisation needs no message but Message, Announcement, Get and Write.
//
// Invariants
// 1. All packets use one channel, so they arrive in order from process to process. Arrive functions
//    run one at a time and do not wait. They hold an inbox's lock for the copy of a small message
//    only.
// 2. To each receiver a sender may send as much in a superstep as a receive buffer holds; what does
//    not fit waits at the sender.
// 3. A message may arrive before its receiver has begun the superstep before: it is kept aside
//    (`Ahead`) until the inbox serves its superstep.
#pragma once
#include "bsp/inbox.h"
#include "fabric/fabric.h"

namespace thrum::bsp {

enum class PacketKind : uint8_t {
    Begin,
    Message,
    Announcement,
    Get,
    Write,
    Answer,
    Fetched,
    Written,
    Stop,
    Go,
    Sums,
    Totals,
    Mistake,
};

// The header of every packet. No kind uses all fields.
struct PacketHeader {
    PacketKind what = PacketKind::Begin;
    MessageKind kind = MessageKind::Put;
    bool is_checked = false;
    bool is_end = false;   // Sums
    uint16_t function = 0; // Place
    uint16_t unused = 0;
    int32_t from = 0, to = 0; // pids; in a Mistake `to` is a world rank
    uint64_t superstep = 0;
    uint64_t size_bytes = 0; // payload of the BSP message, or what is accessed
    uint64_t tag_bytes = 0;
    uint64_t area_or_variable = 0; // Sums: digest
    uint64_t offset_or_address = 0;
    uint64_t handler = 0;   // shared_address()
    uint64_t call_site = 0; // Place
    uint64_t origin = 0; // the sender's Request or Backup, returned to it; Stop, Go: Flow's number
    uint64_t memory_address = 0, memory_key = 0;
};

static_assert(sizeof(PacketHeader) == header_bytes_max);

// Sends a packet. If the process is lost, the job ends (lifecycle/bound_ranks.h).
void send_packet(NodeProcess process, const PacketHeader &header, const iovec *parts = nullptr,
                 int count = 0) MAY_SUSPEND;
// Tells `process` that this process has read the data of its object `origin`.
void send_done(NodeProcess process, PacketKind what, uint64_t origin) MAY_SUSPEND;
// Returns how many packets this node process has sent to others.
uint64_t packets_sent();

// Returns a part for send_packet().
iovec part_of(const void *data, size_t size_bytes);
// Writes the place of a call into the header.
void set_place(PacketHeader &header, const Place &place);

} // namespace thrum::bsp
