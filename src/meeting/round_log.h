// What `mpiexec --trace` notes of collective operations (observe/event_log.h).
#pragma once
#include "comm/communicator.h"

#include <cstdint>

namespace thrum {

// Notes that the calling rank comes to round `number` of a communicator, or, if there is one, of a
// sequence of non-blocking operations. `what` is its announcement (announcement.h).
[[gnu::cold]] void log_round(const Communicator &comm, uint64_t number, uint64_t what,
                             const void *sequence);

} // namespace thrum
