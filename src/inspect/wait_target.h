// What a rank is about to wait for, for the observer: found by the rank itself, so nothing of it
// can change meanwhile.
#pragma once
#include "rank/rank.h"

namespace thrum {

// A FindWaitTarget. Of several requests it names the first that is not complete.
observe::WaitTarget find_wait_target(const Blockage &blockage);

} // namespace thrum
