// ExternalWaits: how waiting tasks notice messages from other processes of the operating system.
// The fabric (a layer above) installs one while the job has several node processes. Without it, a
// waiting task only reads one more word.
//
// A task that spins and a worker without work also look for such messages. One of them becomes the
// *listener* before it sleeps: it sleeps where other processes can wake it with one futex call.
// Tasks of this process wake it in the same way (wake_listener).
//
// Invariants
// 1. At most one thread of the process listens at a time.
// 2. The process is not quiescent while an ExternalWaits is installed: a message may arrive.
#pragma once
#include <atomic>
#include <cstdint>

namespace thrum {

class Completion;

class ExternalWaits {
public:
    // Handles messages that have arrived; returns whether there was one. Any thread may call it,
    // and no caller waits for another one.
    virtual bool look() = 0;
    // Returns how many spins without a look take as long as one look. A spinning thread looks that
    // much less often. The value is small if a look only reads memory.
    virtual unsigned spins_of_look() = 0;

    // Yields the core for a moment between two looks of a spinning thread, if looks are expensive.
    // Returns false if other threads have used the core for long, so that it is better to sleep.
    virtual bool yield_core() { return true; }

    // Returns whether a core is free for a thread that does nothing but look.
    virtual bool worth_spinning() = 0;

    // Yields the core to other processes that may only wait for it, until messages have arrived and
    // have been handled, or `until` is done. Returns false if neither happens for long, or if
    // yielding is not worthwhile. Costs less than to suspend and to listen.
    virtual bool give_way(const Completion &until) = 0;

    // Makes the calling thread the listener. Returns false if there is another listener. A
    // wake_listener() after this call is not lost.
    virtual bool begin_listening() = 0;
    // Sleeps until a message arrives or wake_listener() is called. May return early. No limit
    // if `timeout_ns` < 0.
    virtual void listen(int64_t timeout_ns) = 0;
    virtual void end_listening() = 0;
    virtual bool somebody_listens() = 0;
    virtual void wake_listener() = 0;

protected:
    ~ExternalWaits() = default;
};

extern constinit std::atomic<ExternalWaits *> current_external_waits;

inline ExternalWaits *external_waits() {
    return current_external_waits.load(std::memory_order_acquire); // acquire [external-waits-1]
}

// Installs `waits`, or removes the installed one (nullptr), while tasks run and workers sleep. The
// last message must have arrived before the removal. Threads that end a sleep may still call the
// removed object for a moment.
void set_external_waits(ExternalWaits *waits);

// Calls give_way() of the installed ExternalWaits. Returns false at once if there is none, or if
// the calling task is a fiber: others may become runnable on its worker.
bool give_way_to_processes(const Completion &until);

// Wakes the listener of the installed ExternalWaits, or of the one that was installed last.
void wake_listener();
// Makes one of the waiting OS threads, if there are any, the listener. Called when no thread
// listens.
void wake_successor();

// Listens until a message has arrived or wake_listener() is called; then a waiting task may become
// the listener. For a thread that is not a task: it handles messages while all tasks compute.
// Returns false at once if no ExternalWaits is installed or another thread listens.
bool listen_for_tasks();

} // namespace thrum
