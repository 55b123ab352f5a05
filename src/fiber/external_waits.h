// Outside: other processes of the operating system, whose messages make tasks of this one go on.
// The fabric (a layer above) installs one while the job has several node processes; without it,
// nothing here costs more than a look at one word on paths where a task waits.
//
// Who waits looks outside as well: a task that spins, a worker without work. Before the last one
// sleeps, it becomes the *listener*: it sleeps where other processes can wake it by one futex
// hand-over. What is for it from inside goes the same way (wake_listener).
//
// Invariants
// 1. At most one thread of the process listens at a time.
// 2. The process is not quiescent while there is an Outside: something may come.
#pragma once
#include <atomic>
#include <cstdint>

namespace thrum {

class Outside {
public:
    // Takes in what has come; true if there was something. Any thread, and none waits for another.
    virtual bool look() = 0;
    // How long a look takes, in spins without one: who spins looks so many times less often. Small
    // where a look is a look at memory.
    virtual unsigned spins_of_look() = 0;

    // Between two looks of who spins: lets other threads have the core for a moment, if looks are
    // dear. False: they have kept it for long, so it is better to sleep.
    virtual bool give_way() { return true; }

    // Whether a core is free for a thread that does nothing but look.
    virtual bool worth_spinning() = 0;
    // Makes the calling thread the listener; false if there is another. A wake_listener() that
    // comes afterwards is not lost.
    virtual bool begin_listening() = 0;
    // Sleeps until something has come or wake_listener() is called, and perhaps wakes early.
    virtual void listen(int64_t timeout_ns) = 0;
    virtual void end_listening() = 0;
    virtual bool somebody_listens() = 0;
    virtual void wake_listener() = 0;

protected:
    ~Outside() = default;
};

extern constinit std::atomic<Outside *> current_outside;

inline Outside *outside() {
    return current_outside.load(std::memory_order_acquire); // acquire [outside-1]
}

// Tasks may run and workers sleep meanwhile. Before nullptr is set, nothing may come any more; the
// former one may still be called for a moment, by threads that end a sleep.
void set_outside(Outside *outside);

// Of the present or the former Outside.
void wake_listener();
// One of the OS threads that wait while somebody else listens, if there are any, listens from now
// on. Nobody does.
void wake_successor();

// For a thread that is no task, while tasks may compute and what comes shall be taken in
// nevertheless: listens until something has come, or wake_listener() is called; then a task that
// waits may take over. False at once: there is no Outside, or somebody listens already.
bool listen_for_tasks();

} // namespace thrum
