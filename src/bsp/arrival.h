// The packets of supersteps (superstep_packet.h) as they arrive: messages and requests go into the
// inboxes of this node process.
#pragma once

namespace thrum::bsp {

// Registers the arrive function of supersteps. Must be called before any other process may send.
void begin_remote_supersteps();

} // namespace thrum::bsp
