// The watch: a thread that looks for stuck workers while fibers run.
//
// Blocking calls that the library knows move to spare workers by themselves
// (fiber/blocking_call.h). The watch detects all others, such as a futex that libgomp waits on by
// its own system call, or an ioctl: a worker with a backlog sleeps in the kernel. It hands the run
// queue to a spare worker, which keeps it until the worker continues. While no fiber runs, the
// watch sleeps as well (activity.h).
#pragma once

namespace thrum {

// Starts the thread, after the workers.
void start_watch();
// Returns whether the watch has let ranks run beside each other although there is a seed
// (fiber/choice.h). From then on ranks block as without one.
bool seed_is_over();
// Ends the thread. Called after Scheduler::announce_stop().
void stop_watch();

} // namespace thrum
