// Counts for tools (MPI_T), for use by the layers above.
#pragma once
#include "comm/process.h"

namespace thrum {

// Counts for the tools of a rank, if it has any. Call it only while somebody_listens().
[[gnu::cold]] void count_for_tools(Process &process, const PerformanceVariable &variable,
                                   uint64_t by = 1);

} // namespace thrum
