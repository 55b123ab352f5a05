// Calls libpmix on a separate thread.
#pragma once
#include "base/check.h"
#include "base/own_threads.h"
#include "fiber/blocking_call.h"

#include <csignal>
#include <cstring>
#include <pthread.h>

namespace thrum {

// Runs `function` on an OS thread with a stack of ordinary size and without signals of the program,
// because libpmix makes threads and knows nothing of fibers. A task that calls it is in a blocking
// call meanwhile. Ends the process if no thread can be started.
template <class Function>
void run_on_own_thread(const char *name, Function function) MAY_SUSPEND {
    BlockingCall call;
    if (current_task_or_null)
        call.enter(name);
    sigset_t all, old;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &old);
    pthread_t thread;
    int error = create_own_thread(
        &thread, nullptr,
        [](void *f) -> void * {
            (*static_cast<Function *>(f))();
            return nullptr;
        },
        &function);
    ::pthread_sigmask(SIG_SETMASK, &old, nullptr);
    if (error)
        die(2, "cannot start a thread for %s: %s", name, std::strerror(error));
    join_own_thread(thread);
}

} // namespace thrum
