// Data that wait at their sender, in another node process, because the receiver's buffer has no
// room. The sender keeps a copy and announces it. At the end of the superstep the receiver reads
// it, directly to its destination, and the sender frees the copy.
#pragma once
#include "bsp/machine.h"
#include "bsp/superstep_packet.h"

namespace thrum::bsp {

// Copies the payload and sends `header`, which is filled in for a Message, as an Announcement to
// `to`.
void announce(const Node &to, PacketHeader &header, const iovec &tag, Part payload) MAY_SUSPEND;
// Frees the copy `origin`, which the receiver has read.
void free_announced_copy(uint64_t origin);

// Makes a message, with its tag, for data that `process` has announced. `stays`: the data will stay
// in the inbox, so the message has room for them. Freed by free_announced().
Message &new_announced_message(NodeProcess process, const PacketHeader &header,
                               const Message &message, const char *tag, bool stays);
void free_announced(Message *message);
// Begins to copy the data of `message`, which is_announced, to `into`. The inbox counts it as
// outstanding until the data have arrived.
void fetch_announced(Node &node, Message &message, char *into) MAY_SUSPEND;

} // namespace thrum::bsp
