// What the layers above count for tools (MPI_T).
#pragma once
#include "comm/process.h"

namespace thrum {

// Counts for the tools of a rank, if it has any: called while somebody_listens().
[[gnu::cold]] void count_for_tools(Process &process, const PerformanceVariable &variable,
                                   uint64_t by = 1);

} // namespace thrum
