// The watch: a thread that looks for stuck workers while fibers run.
//
// Blocking calls that we know go to spare workers by themselves (fiber/blocking_call.h). For all
// others (a futex that libgomp waits on by an instruction of its own, an ioctl) the watch sees that
// a worker with a backlog sleeps in the kernel, and hands its run queue to a spare worker, which
// keeps it until the worker is back. While no fiber runs, the watch sleeps, too (activity.h).
#pragma once

namespace thrum {

// Starts the thread, after the workers.
void start_watch();
// Ends it, after Scheduler::announce_stop().
void stop_watch();

} // namespace thrum
