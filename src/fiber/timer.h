// Timers: tasks that wait for a point in time. One thread, started by the first use, sleeps until
// the earliest deadline; workers never look at a clock.
#pragma once
#include "fiber/task.h"

namespace thrum {

// Makes `task`, which is about to suspend, runnable at `deadline_ns` of the monotonic clock.
void set_timer(Task &task, int64_t deadline_ns);
// Timers set and not yet fired.
int pending_timers();

} // namespace thrum
