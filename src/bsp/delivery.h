// Delivery: how a process brings its operations into the inbox of another one (inbox.h), and how
// the owner of an inbox waits for them.
#pragma once
#include "bsp/machine.h"

namespace thrum::bsp {

// Copies a message into the inbox of `to` for the superstep of `from`, the caller's. The caller has
// filled in the header, except for source and sizes. Waits while the caller is too far ahead.
void deliver(Node &from, Node &to, const Message &header, Part tag, Part payload) MAY_SUSPEND;
// Leaves a request of `from`, the caller's, with `to`, which serves it when it synchronises.
void submit(Node &from, Node &to, Request &request) MAY_SUSPEND;
// For an unbuffered access of `from`, the caller's, to memory of `to`. Returns false if `to` has
// not begun this superstep; then nothing is counted.
bool may_access(Node &from, Node &to) MAY_SUSPEND;
// Counts such an access as an operation that has arrived.
void count_access(Node &from, Node &to, size_t size_bytes) MAY_SUSPEND;

// The following are called by the owner of an inbox.

// Waits until `wanted` operations have arrived and the owner's requests are done; serves the
// requests of others meanwhile. Then closes the inbox.
void wait_for_operations(Node &node, int64_t wanted) MAY_SUSPEND;
// Waits again, for requests made since then.
void wait_until_satisfied(Node &node, Inbox &inbox) MAY_SUSPEND;

// Empties the inbox, for superstep `superstep`, and wakes senders that waited for this.
void recycle(Node &node, Inbox &inbox, uint64_t superstep) MAY_SUSPEND;
// Frees the memory of an inbox, at the end of the program.
void free_buffers(Node &node, Inbox &inbox) MAY_SUSPEND;

} // namespace thrum::bsp
