// BlockingCall: the time that a task may spend asleep in the kernel: in read(2), in a contended
// mutex. A fiber moves to a spare worker for this time, which has an OS thread of its own, and
// returns to its worker afterwards. Meanwhile the worker runs other fibers. An OS-thread task
// simply sleeps.
//
//     BlockingCall call;
//     if (!try_it())              // what does not block costs nothing
//         call.enter("read"), really_do_it();
//                                 // the destructor returns to the worker
//
// Invariants
// 1. There are at most as many spare workers as fibers, because no more calls can block at a time.
//    They are reused, and never removed while the workers run.
// 2. A task in a blocking call is not active (fiber/activity.h), but the process is not quiescent:
//    the event that the task waits for may come from outside.
// 3. If the kernel refuses another thread, the fiber blocks its worker, and a message says so.
//    With a seed (fiber/choice.h) it always does, until the watch (fiber/watch.h) lets the others
//    run.
#pragma once
#include "fiber/task.h"

namespace thrum {

class Worker;

class BlockingCall {
public:
    BlockingCall() = default;
    BlockingCall(const BlockingCall &) = delete;
    BlockingCall &operator=(const BlockingCall &) = delete;

    // Begins the blocking call. `name` is the function as the program calls it, for reports.
    // Further calls do nothing; neither does a call by a thread that is not a task. Keeps errno.
    void enter(const char *name) MAY_SUSPEND;

    // Returns to the worker. Keeps errno.
    void leave() MAY_SUSPEND {
        if (entered_)
            go_back();
    }

    ~BlockingCall() { leave(); }

    bool entered() const { return entered_; }

private:
    friend void abandon_blocking_calls();
    void go_back() MAY_SUSPEND;
    bool entered_ = false;
    Worker *home_ = nullptr;        // nullptr: the task has not moved
    BlockingCall *outer_ = nullptr; // of the same task: a signal handler has interrupted that one
};

// Leaves all blocking calls that the caller is in. For a signal handler that leaves them by
// longjmp(), so that their destructors will not run.
void abandon_blocking_calls() MAY_SUSPEND;

// Returns how many tasks are in a blocking call.
int tasks_in_blocking_calls();

} // namespace thrum
