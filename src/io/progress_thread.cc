// The thread that listens to other processes for accesses that no rank waits for. It sleeps on the
// futex `accesses` while that is 0, and else becomes the listener (fiber/external_waits.h), unless
// a task is the listener.
#include "io/progress_thread.h"

#include "base/futex.h"
#include "base/own_threads.h"
#include "base/spinlock.h"
#include "fiber/external_waits.h"
#include "fiber/library_threads.h"

#include <csignal>
#include <pthread.h>

namespace thrum {
namespace {

// While a task listens, the thread looks at this interval whether the task has stopped.
constexpr int64_t look_every_ns = 2'000'000;

std::atomic<uint32_t> accesses{0}; // active ones; the futex on which the thread sleeps
SpinLock lock;
bool started = false; // guarded by lock

// Listens while an access needs it. Between two looks it sleeps on the futex, which changes when an
// access begins.
void *listen_and_sleep(void *) {
    add_library_thread();
    for (;;) {
        // acquire [unattended-1]: what the accesses need is there
        if (accesses.load(std::memory_order_acquire) == 0)
            futex_wait(accesses, 0);
        else if (!listen_for_tasks())
            futex_wait(accesses, accesses.load(std::memory_order_relaxed), look_every_ns);
    }
    return nullptr;
}

// Starts the thread with all signals blocked. If that fails, accesses progress only when ranks call
// MPI.
void start_thread() {
    sigset_t all, old;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &old); // signals are for ranks
    pthread_t thread;
    if (create_own_thread(&thread, nullptr, &listen_and_sleep, nullptr) == 0)
        ::pthread_detach(thread);
    ::pthread_sigmask(SIG_SETMASK, &old, nullptr);
}

} // namespace

void begin_unattended_access() {
    {
        LockGuard guard(lock);
        if (!started)
            start_thread();
        started = true;
    }
    if (accesses.fetch_add(1, std::memory_order_release) == 0) // release [unattended-1]
        futex_wake(accesses);
}

// The thread may be the listener and have nothing to listen for now. Another listener that is woken
// in its place listens again.
void end_unattended_access() {
    if (accesses.fetch_sub(1, std::memory_order_relaxed) == 1 && external_waits())
        wake_listener(); // perhaps the thread, which has nothing to listen for any more
}

} // namespace thrum
