// BlockingCall: the time that a task may spend asleep in the kernel: in read(2), in a contended
// mutex. A fiber goes to a spare worker for it, an OS thread of its own, and comes back to its
// worker afterwards: the worker runs other fibers meanwhile. An OS thread is asleep by itself.
//
//     BlockingCall call;
//     if (!try_it())              // what does not block costs nothing
//         call.enter("read"), really_do_it();
//                                 // the destructor goes back to the worker
//
// Invariants
// 1. There are at most as many spare workers as fibers. They are reused and never taken away, as
//    more than that many calls cannot block at a time.
// 2. A task in a blocking call is not active (fiber/activity.h), but the process is not quiescent:
//    what the task waits for may come from outside.
// 3. If the kernel grants no further thread, the fiber blocks its worker, and a message says so.
#pragma once
#include "fiber/task.h"

namespace thrum {

class Worker;

class BlockingCall {
public:
    BlockingCall() = default;
    BlockingCall(const BlockingCall &) = delete;
    BlockingCall &operator=(const BlockingCall &) = delete;

    // `name` is the function as the program calls it, for reports. Further calls do nothing.
    void enter(const char *name) MAY_SUSPEND;

    // Goes back to the worker. Keeps errno.
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
    Worker *home_ = nullptr;        // nullptr: has not moved
    BlockingCall *outer_ = nullptr; // of the same task: a handler has interrupted that one
};

// Leaves all blocking calls that the caller is in, because their destructors will not run: a signal
// handler leaves them by longjmp().
void abandon_blocking_calls() MAY_SUSPEND;

// Returns how many tasks are in a blocking call now.
int tasks_in_blocking_calls();

} // namespace thrum
