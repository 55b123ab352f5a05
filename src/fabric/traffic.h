// The traffic with single processes, to detect that a message is not under way any more. (That of
// all processes together is FabricTraffic.)
#pragma once
#include "base/node_process.h"

#include <cstdint>

namespace thrum {

// Return how many messages of Channel::PointToPoint have been sent to, and taken from, another
// initial process: the messages of FabricTraffic. They arrive in order, so the first N that were
// sent have been taken when the number taken is N.
uint64_t fabric_sent_to(NodeProcess process);
uint64_t fabric_taken_from(NodeProcess process);

} // namespace thrum
