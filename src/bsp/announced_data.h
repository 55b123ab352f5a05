// Data that wait at their sender, elsewhere, because the receive buffer of the receiver has no
// room: the sender announces them, and the receiver reads them at the end of the superstep.
#pragma once
#include "bsp/machine.h"
#include "bsp/superstep_packet.h"

namespace thrum::bsp {

// Copies the payload and sends `header`, a Message's, as an Announcement to `to`.
void announce(const Node &to, PacketHeader &header, const iovec &tag, Part payload) MAY_SUSPEND;
// The receiver has read the copy that it names by `origin`.
void free_announced_copy(uint64_t origin);

// A message, with its tag, whose data `process` has announced. `stays`: with room for the data.
Message &new_announced_message(NodeProcess process, const PacketHeader &header,
                               const Message &message, const char *tag, bool stays);
void free_announced(Message *message);
// Begins to copy the data of `message`, which is_announced, to `into`; the inbox is satisfied when
// they are there.
void fetch_announced(Node &node, Message &message, char *into) MAY_SUSPEND;

} // namespace thrum::bsp
