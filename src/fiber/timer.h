// Timers: tasks that wait for a point in time. One thread, started by the first use, sleeps until
// the earliest deadline; workers never look at a clock.
#pragma once
#include "fiber/task.h"

namespace thrum {

// Makes `task`, which is about to suspend, runnable at `deadline_ns` of the monotonic clock.
void set_timer(Task &task, int64_t deadline_ns);
// Suspends the caller until the monotonic clock shows `deadline_ns`.
void wait_until(int64_t deadline_ns) MAY_SUSPEND;
// Takes back the timer of a waiting task. Returns true if the caller has to make the task runnable
// instead; false if it has no timer, or the timer fires just now.
bool cancel_timer(Task &task);
// Counts `count` more events of other kinds as timers: while there are any, something may still
// happen in a process whose ranks all wait.
void add_pending_timers(int count);

} // namespace thrum
