// PayloadPool: memory for the data of eager messages that are too long for their queue node. Freed
// buffers are kept, by size class, in a few shards. A message takes and returns its buffer in the
// shard of its receiver, whichever threads its sender and receiver run on.
#pragma once
#include <cstddef>

namespace thrum {

struct Mailbox;

// Returns memory for `size_bytes` > 0. Must be called without the mailbox's lock: it may allocate.
void *take_payload(const Mailbox &receiver, size_t size_bytes);
// Returns the memory to the pool. The arguments are those of take_payload().
void give_back_payload(const Mailbox &receiver, void *payload, size_t size_bytes);

} // namespace thrum
