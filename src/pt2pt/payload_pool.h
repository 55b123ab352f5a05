// PayloadPool: memory for the data of eager messages that are too long for their queue node. Freed
// buffers are kept, by size class, in a few shards; a message takes and gives back in the shard of
// its receiver, whatever threads its sender and receiver run on.
#pragma once
#include <cstddef>

namespace thrum {

struct Mailbox;

void *take_payload(const Mailbox &receiver, size_t size_bytes);
void give_back_payload(const Mailbox &receiver, void *payload, size_t size_bytes);

} // namespace thrum
