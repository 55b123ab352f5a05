// Delivery: how operations of a process come to the inbox of another one (inbox.h), and how the
// owner of an inbox waits for them.
#pragma once
#include "bsp/machine.h"

namespace thrum::bsp {

// Puts a message, whose header the caller has filled in but for its sizes, into the inbox of `to`
// for the superstep that `from`, the caller, is in.
void deliver(Node &from, Node &to, const Message &header, Part tag, Part payload) MAY_SUSPEND;
// Gives `to` something to do for `from`, the caller, in this superstep.
void submit(Node &from, Node &to, Request &request) MAY_SUSPEND;
// Around an unbuffered access of `from`, the caller, to memory of `to`: false if `to` has not begun
// this superstep yet (nothing is counted then). count_access() counts it as come.
bool may_access(Node &from, Node &to) MAY_SUSPEND;
void count_access(Node &from, Node &to, size_t size_bytes) MAY_SUSPEND;

// ---- what the owner of an inbox does

// Waits until `wanted` operations have come and its own requests are done; meanwhile serves those
// of others. Closes the inbox.
void wait_for_operations(Node &node, int64_t wanted) MAY_SUSPEND;
// Again, for what has been asked for since then.
void wait_until_satisfied(Node &node, Inbox &inbox) MAY_SUSPEND;

// Empties the inbox for superstep `superstep`, and lets in senders that are too early.
void recycle(Node &node, Inbox &inbox, uint64_t superstep) MAY_SUSPEND;
void free_buffers(Node &node, Inbox &inbox) MAY_SUSPEND;

} // namespace thrum::bsp
