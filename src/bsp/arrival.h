// The packets of supersteps (superstep_packet.h) as they arrive: messages and requests come into
// the inboxes of this node process.
#pragma once

namespace thrum::bsp {

// Makes this process take in what others send; before any of them may send.
void begin_remote_supersteps();

} // namespace thrum::bsp
