// The threads that do non-blocking file operations, so that these make progress without any call of
// the program. Made when the first job comes; they sleep in a futex while there is none.
//
// A process with a job under way is not quiescent: what waits for it is no deadlock.
#pragma once
#include "base/may_suspend.h"

namespace thrum {

struct IoJob {
    // On some I/O thread. May delete the job.
    virtual void run() MAY_SUSPEND = 0;
    virtual ~IoJob() = default;
    IoJob *next = nullptr;
};

// `may_sleep`: it may wait for the world outside (a pipe), so other jobs must not wait behind it.
void submit(IoJob &job, bool may_sleep = false);

} // namespace thrum
