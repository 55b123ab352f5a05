// Timers: tasks that wait for a point in time. One thread, which the first use starts, sleeps until
// the earliest deadline. Workers never look at a clock.
#pragma once
#include "fiber/task.h"

namespace thrum {

// Makes `task`, which is about to suspend, runnable at `deadline_ns` of the monotonic clock.
void set_timer(Task &task, int64_t deadline_ns);
// Suspends the caller until the monotonic clock shows `deadline_ns`.
void wait_until(int64_t deadline_ns) MAY_SUSPEND;
// Removes the timer of a waiting task. Returns true if it had one: the caller must make the task
// runnable instead. Returns false if it has no timer, or the timer is just firing.
bool cancel_timer(Task &task);
// Counts `count` more events of other kinds as timers (negative: fewer). While there are any, a
// process whose ranks all wait is not quiescent.
void add_pending_timers(int count);
// Returns how many events of other kinds count.
int pending_events();

} // namespace thrum
