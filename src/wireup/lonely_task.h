// Tasks that srun has started without PMIx: each would be a job of its own.
#pragma once

namespace thrum {

// Ends a process that is one of several such tasks. THRUM_SINGLETON=1 says that this is wanted.
void refuse_lonely_task();

} // namespace thrum
