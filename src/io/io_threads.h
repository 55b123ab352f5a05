// The threads that do non-blocking file operations, so that these progress without any call of the
// program. They are created when jobs come, and sleep on a futex while there is none.
//
// A process with an active job is not quiescent: a rank that waits for it is not deadlocked.
#pragma once
#include "base/may_suspend.h"

namespace thrum {

// Work for an I/O thread. The submitter keeps it alive until run() ends.
struct IoJob {
    // Runs on some I/O thread, without a lock. May delete the job.
    virtual void run() MAY_SUSPEND = 0;
    virtual ~IoJob() = default;
    IoJob *next = nullptr; // in the list of waiting jobs
};

// Queues a job. Any thread; does not block. `may_sleep`: the job may wait for the outside world (a
// pipe), so it must not delay others. Ends the process if there is no thread and none can be
// created.
void submit(IoJob &job, bool may_sleep = false);

} // namespace thrum
