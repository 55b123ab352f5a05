// What `mpiexec --trace` notes of collective operations (observe/event_log.h).
#pragma once
#include "comm/communicator.h"

#include <cstdint>

namespace thrum {

// Notes that the calling rank comes to round `number` of a communicator, or, if there is one, of a
// sequence of non-blocking operations. `root`: -1: none, or unknown. Processes number the rounds of
// a communicator that spans them differently: there it is called once for each operation.
[[gnu::cold]] void log_round(const Communicator &comm, uint64_t number, int root,
                             const void *sequence);

} // namespace thrum
