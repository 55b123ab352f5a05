// Counts of ranks for tools (tool_counts.h).
#include "comm/tool_counts.h"

namespace thrum {

void count_for_tools(Process &process, const PerformanceVariable &variable, uint64_t by) {
    // acquire [recorder-1]: it is constructed.
    if (Recorder *recorder = process.mailbox.recorder.load(std::memory_order_acquire))
        recorder->count(variable, by);
}

} // namespace thrum
