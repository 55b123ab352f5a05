// The fabric's own thread. It sleeps until a descriptor says that something has happened: another
// process waits for this one, whose tasks are all busy; a process has ended; the network has
// brought something. One who waits in MPI needs it for none of its messages through shared memory.
#pragma once
#include "base/spinlock.h"

#include <atomic>
#include <deque>
#include <pthread.h>

namespace thrum {

class HelperThread {
public:
    using Callback = void (*)(void *argument, int number);

    // What it watches can be said from now on. False: the kernel grants no descriptor.
    bool open();
    // Starts the thread: it sees all that was written before. False: the kernel grants none.
    bool start();
    void stop();

    // From now on the thread calls function(argument, number) when `fd` is readable; once only, if
    // it is to be forgotten then. Any thread.
    bool watch(int fd, Callback function, void *argument, int number, bool once);
    // Whether what happens to a watched descriptor ends the thread's sleep.
    void set_watched(int fd, bool on);
    // Ends its sleep.
    void nudge();
    // Called before each sleep: returns for how many milliseconds at most, -1: without limit. Set
    // once, at any time.
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
    std::deque<Watched> watched_; // guarded by lock_; elements stay where they are
    std::atomic<int (*)(void *)> before_sleep_{nullptr};
    void *before_sleep_argument_ = nullptr; // written before it
};

} // namespace thrum
