// The fabric's own thread. It sleeps until a descriptor shows that something has happened: another
// process waits for this one, whose tasks are all busy; a process has ended; or the network has
// received something. A task that waits in MPI does not need it for messages through shared memory.
#pragma once
#include "base/spinlock.h"

#include <atomic>
#include <deque>
#include <pthread.h>

namespace thrum {

// The thread, and the descriptors that it watches.
class HelperThread {
public:
    using Callback = void (*)(void *argument, int number);

    // Prepares the thread; from now on descriptors can be watched. Returns false if the kernel
    // grants no descriptor.
    bool open();
    // Starts the thread, which sees everything written before. Returns false if the kernel grants
    // none.
    bool start();
    // Stops the thread and waits for its end. Closes its own descriptors, not the watched ones.
    void stop();

    // Makes the thread call function(argument, number) whenever `fd` is readable, or only once if
    // it is to be forgotten then. Any thread may call this.
    bool watch(int fd, Callback function, void *argument, int number, bool once);
    // Sets whether a watched descriptor ends the thread's sleep.
    void set_watched(int fd, bool on);
    // Ends the thread's sleep. Any thread may call this.
    void nudge();
    // Sets the function called before each sleep, which returns the maximum sleep in milliseconds,
    // or -1: no limit. Set it once, at any time.
    void set_before_sleep(int (*function)(void *argument), void *argument);

private:
    struct Watched {
        int fd;
        Callback function;
        void *argument;
        int number;
        bool once;
    };

    static void *run(void *self);
    void serve();

    int epoll_ = -1;
    int stop_pipe_[2] = {-1, -1};
    pthread_t thread_{};
    bool started_ = false;
    std::atomic<bool> stopping_{false};
    SpinLock lock_;
    std::deque<Watched> watched_; // guarded by lock_; elements do not move
    std::atomic<int (*)(void *)> before_sleep_{nullptr};
    void *before_sleep_argument_ = nullptr; // written before the function
};

} // namespace thrum
