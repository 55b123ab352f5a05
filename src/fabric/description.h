// What `thrum info` says about the fabric: which ways there are, which are chosen, and why.
#pragma once
#include "fabric/libfabric.h"
#include "fabric/shared_memory.h"

namespace thrum {

// Of a job with several processes; `network` is nullptr if it needs none.
std::string describe_choice(const SharedMemory &shared_memory, const Libfabric *network);
// What such a job would have on this machine, with the present settings.
std::string describe_prospect();

} // namespace thrum
