// What `thrum info` prints about the fabric: the available transports, the chosen ones, and why.
#pragma once
#include "fabric/network/libfabric.h"
#include "fabric/shared_memory/shared_memory.h"

namespace thrum {

// Describes the choice of a job with several processes; `network` is nullptr if it needs none.
std::string describe_choice(const SharedMemory &shared_memory, const Libfabric *network);
// Describes what such a job would use on this machine, with the current settings.
std::string describe_prospect();

} // namespace thrum
