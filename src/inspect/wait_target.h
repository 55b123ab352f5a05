// Finds what a rank is about to wait for, for the observer. The rank itself calls it, so nothing
// that is read can change meanwhile.
#pragma once
#include "comm/communicator.h"
#include "rank/rank.h"

namespace thrum {

// A FindWaitTarget. Of several requests it names the first that is not complete.
observe::WaitTarget find_wait_target(const Blockage &blockage);

// Returns the world rank of `peer` in the communicator, or in its remote group; WaitTarget::any for
// MPI_ANY_SOURCE.
int world_rank_of_peer(const Communicator *comm, int peer);

} // namespace thrum
