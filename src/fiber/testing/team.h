// A team: tasks that run a function each, on workers (as fibers) or on an OS thread each. The
// process's ranks are a team; unit tests make small ones.
#pragma once
#include "fiber/task.h"

#include <cstddef>

namespace thrum {

struct TeamOptions {
    int workers = 0;         // OS threads that run fibers; 0: one per usable core
    bool os_threads = false; // an OS thread for every task instead
    size_t stack_bytes = 256 << 10;
};

// Runs function(argument, index) for index in [0, count) to its end. tasks[i] (from the caller; the
// caller's type may derive from Task) becomes the current task of function number i. For tests and
// benchmarks: the calling thread waits; the process may run several teams one after the other.
void run_team(int count, Task *const *tasks, void (*function)(void *argument, int index),
              void *argument, const TeamOptions &options);

} // namespace thrum
