// Scheduler: makes the workers and fibers of the process, and spare workers.
#pragma once
#include "base/may_suspend.h"
#include "fiber/stack.h"
#include "fiber/worker.h"

#include <atomic>
#include <csignal>
#include <memory>
#include <vector>

namespace thrum {

class Scheduler {
public:
    // Prepares `worker_count` workers; none runs yet.
    void create_workers(int worker_count);
    // Gives `task` a fiber in slot `index` of `stacks` that will call entry(argument). Does not
    // queue it. Returns false if out of memory.
    bool create_fiber(Task &task, const StackArena &stacks, size_t index, void (*entry)(void *),
                      void *argument);
    // Makes the calling OS thread worker 0, and its present context the fiber of `task` on that
    // worker. The worker's idle loop gets a new stack. Returns false if out of memory.
    bool adopt_main_fiber(Task &task);
    // Queues a created fiber at worker `worker_index`.
    void start_fiber(Task &task, int worker_index);
    // Starts the OS threads of workers [first, count); each calls thread_start, if set, first.
    void start_workers(int first);
    // Ends the calling fiber; its worker continues with others. Does not return.
    [[noreturn]] void finish_fiber(Task &task) MAY_SUSPEND;
    // Lets the workers end after their current fibers are done. The watch (watch.h), which takes
    // spare workers, must end before stop_workers() waits for their threads.
    void announce_stop();
    // Waits for the threads of all workers.
    void stop_workers();
    // Frees the thread block and the tools' state of a fiber that is done. The caller owns the
    // stack.
    void free_fiber(Task &task);

    int worker_count() const { return workers().count(); }

    // Returns a spare worker for fibers that belong to `home`; nullptr if the kernel refuses
    // another thread. The spare worker puts itself back when it has run them.
    Worker *take_spare_worker(Worker &home);
    void return_spare_worker(Worker &spare);

    void (*thread_start)() = nullptr; // run by each new worker thread before anything else

private:
    static void *run_worker_thread(void *worker);
    static void *run_spare_thread(void *worker);
    static void prepare_thread(Worker &worker);
    int start_thread_of(Worker &worker, bool spare);
    static void begin_fiber(void *start) MAY_SUSPEND;
    SpinLock spare_lock_; // guards the two below
    std::vector<std::unique_ptr<Worker>> spares_;
    Worker *first_spare_ = nullptr; // list of those that wait for work, by next_spare_
    // The workers' signal mask, also of those that the watch starts, which itself blocks all
    // signals.
    sigset_t signal_mask_{};
    std::unique_ptr<StackArena> idle_stack_; // worker 0's, when the main stack is a fiber's
};

// Never destroyed: workers run while the process exits.
union TheScheduler {
    constexpr TheScheduler() : value() {}

    ~TheScheduler() {}

    Scheduler value;
};

extern constinit TheScheduler the_scheduler;

inline Scheduler &scheduler() {
    return the_scheduler.value;
}

} // namespace thrum
