#include "base/detached_thread.h"

#include "base/own_threads.h"

#include <csignal>
#include <pthread.h>

namespace thrum {

int start_detached_thread(void *(*function)(void *), void *argument) {
    sigset_t all, old;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &old);
    pthread_t thread;
    const int error = create_own_thread(&thread, nullptr, function, argument);
    ::pthread_sigmask(SIG_SETMASK, &old, nullptr);
    if (error == 0)
        ::pthread_detach(thread);
    return error;
}

} // namespace thrum
