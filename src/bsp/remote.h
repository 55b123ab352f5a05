// Supersteps across node processes: the messages between them (docs/between_processes.md).
//
//   origin's process                              target's process
//   put, send      Message + data --------------> the inbox of its superstep; ahead of it: kept
//   overflow, large Announcement ---------------> the inbox; at the end of the superstep:
//     (a copy of the data waits at the sender)    fabric_read straight to the destination
//                  <-------------------- Fetched
//   get            Get -------------------------> the inbox's requests; when the target
//   synchronises:
//                  <------------- Answer + data
//   large hpput    Write -----------------------> the same; fabric_read from the source itself
//                  <-------------------- Written
//   global end     Sums, up a tree; Totals, down  (barrier.h)
//   a process has sent too much to one that is behind:
//                  <----------------------- Stop, and when that has caught up: Go
//   a mistake that another process finds: Mistake, to the one whose call it was
//
// Counting synchronisation needs no message but Message, Announcement, Get and Write.
//
// Invariants
// 1. Everything goes over one channel: from process to process in order. Arrive functions run one
// at
//    a time, wait for nothing, and hold an inbox's lock for the copy of a small message only.
// 2. To each receiver a sender has as much room in a superstep as a receive buffer has; what finds
// no
//    room waits at the sender.
// 3. A message may come before its receiver has begun so much as the superstep before: it is kept
//    aside (`Ahead`) until the inbox serves its superstep.
#pragma once
#include "bsp/barrier.h"
#include "bsp/inbox.h"

#include <span>

namespace thrum::bsp {

// Makes this process take in what others send; before any of them may send.
void begin_remote_supersteps();
// Process 0 has begun: tells the other node processes.
void tell_of_beginning(Machine &machine) MAY_SUSPEND;

// deliver() and submit() for a target that is elsewhere.
void deliver_elsewhere(Node &from, Node &to, const Message &header, Part tag,
                       Part payload) MAY_SUSPEND;
void submit_elsewhere(Node &from, Node &to, Request &request) MAY_SUSPEND;
// Gives the other process what its request, which is done with then, asks for: `place` is in the
// area of `node`, the caller.
void answer(Node &node, Request &request, char *place) MAY_SUSPEND;

// A message whose data wait at its sender; the message is a part of it.
struct AnnouncedMessage;
// Begins to copy the data of `message`, which is_announced, to `into`; the inbox is satisfied when
// they are there.
void fetch_announced(Node &node, Message &message, char *into) MAY_SUSPEND;
void free_announced(Message *message);
// What has come for the superstep that `inbox` begins to serve, taken out of inbox.ahead.
void admit_ahead(Node &node, Ahead *first) MAY_SUSPEND;
// The superstep has ended.
void forget_sent(Node &node);

// Of barrier.cc.
void send_sums(int process, const Announcement &said, std::span<const uint32_t> sums) MAY_SUSPEND;
void send_totals(int process, std::span<const uint32_t> totals) MAY_SUSPEND;
// The process of that rank ends the job with this sentence.
void tell_of_mistake(const Place &place, uint64_t superstep, const char *sentence) MAY_SUSPEND;

} // namespace thrum::bsp
