// The buffers of collective operations under `mpiexec --check` (check/active_buffers.h).
#pragma once
#include "check/active_buffers.h"
#include "comm/communicator.h"
#include "meeting/collective_call.h"

namespace thrum {

// Begins to watch the buffers of an operation that is about to begin. `owner` is its request.
[[gnu::cold]] void watch_collective(const void *owner, const Communicator &comm,
                                    const CollectiveCall &call);

// Compares the buffers of a blocking operation with those of active ones.
[[gnu::cold]] void check_collective(const Communicator &comm, const CollectiveCall &call);

// Watches the buffers of a blocking operation for a moment (check/moment.h).
[[gnu::cold]] void watch_collective_for_a_moment(const Communicator &comm,
                                                 const CollectiveCall &call) MAY_SUSPEND;

} // namespace thrum
