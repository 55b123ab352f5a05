#include "io/progress_thread.h"

#include "base/futex.h"
#include "base/spinlock.h"
#include "fiber/external_waits.h"
#include "fiber/library_threads.h"

#include <csignal>
#include <pthread.h>

namespace thrum {
namespace {

// While a task listens, which it does until it goes on, it is looked now and then whether it does.
constexpr int64_t look_every_ns = 2'000'000;

std::atomic<uint32_t> accesses{0}; // under way; a futex
SpinLock lock;
bool started = false; // under lock

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

// Without a thread for it an access goes on when its ranks call MPI.
void start_thread() {
    sigset_t all, old;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &old); // signals are for ranks
    pthread_t thread;
    if (::pthread_create(&thread, nullptr, &listen_and_sleep, nullptr) == 0)
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

void end_unattended_access() {
    if (accesses.fetch_sub(1, std::memory_order_relaxed) == 1 && external_waits())
        wake_listener(); // perhaps the thread, which has nothing to listen for any more
}

} // namespace thrum
