// Visits: an OS thread that is not a worker runs a function on the stack of a waiting fiber, as the
// kernel runs a signal handler in a waiting process. The fiber continues to wait. Its wait may be
// completed during the visit.
//
// Invariants
// 1. The visitor owns the fiber's stack because it has set `on_worker`. Workers put a runnable task
//    whose stack is in use back at the end of their queue ([visit-1]).
// 2. The visited code does not suspend: the fiber's one wait is already taken.
#pragma once
#include "fiber/task.h"

namespace thrum {

// Runs function(argument) below the frames of `task`, with its thread block. Returns false, and
// runs nothing, if the task is not a fiber or does not wait. Must not be called on a worker.
bool visit_waiting_fiber(Task &task, void (*function)(void *), void *argument);

// Sends `signal` to the OS thread that runs `task`, or ran it last. By then the thread may run
// another task.
void interrupt_thread_of(const Task &task, int signal);

} // namespace thrum
