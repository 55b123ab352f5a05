// Scheduler: the workers of the process, and what they share.
#pragma once
#include "base/may_suspend.h"
#include "fiber/stack.h"
#include "fiber/watch.h"
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
    // Gives `task` a fiber in slot `index` of `stacks` that will call entry(argument); queues
    // nothing. Returns false if out of memory. Before run(), on one thread.
    bool create_fiber(Task &task, const StackArena &stacks, size_t index, void (*entry)(void *),
                      void *argument);
    // The calling OS thread becomes worker 0 and its present context becomes fiber `task` on it.
    bool adopt_main_fiber(Task &task);
    // Queues a created fiber at worker `worker_index`.
    void start_fiber(Task &task, int worker_index);
    // Starts the OS threads of workers [first, count); each calls thread_start, if set, first.
    void start_workers(int first);
    // The calling fiber is done; its worker goes on with others. Does not return.
    [[noreturn]] void finish_fiber(Task &task) MAY_SUSPEND;
    // Lets the workers end once their current fibers are done, and waits for their threads.
    void stop_workers();
    void free_fiber(Task &task);

    Worker &worker(int index) { return *workers_[static_cast<size_t>(index)]; }

    int worker_count() const { return static_cast<int>(workers_.size()); }

    // acquire [stop-1]
    bool stopping() const { return stopping_.load(std::memory_order_acquire); }

    // Wakes a sleeping worker other than `but`, if there is one, so that it looks for work.
    void wake_one_sleeper(const Worker &but);
    void wake_all_sleepers();
    std::atomic<int> sleepers{0}; // workers asleep; a hint

    // Whether a worker that has one task waiting besides the one that runs should wake a sleeper
    // for it: the running one may compute for long, or suspend in a moment (then the wake-up was in
    // vain). Yes at most once in an interval, which doubles while such wake-ups are in vain.
    bool may_ask_for_help();
    void help_was_needed(bool needed);

    // See invariant 3 of worker.h. Whoever makes it 0 reports quiescence.
    void add_active() {
        if (active_in(active_.fetch_add(1, std::memory_order_seq_cst)) == 0) // [watch-1]
            watch_.wake();
    }

    void drop_active();

    // For the report of quiescence, which counts as active itself: whether really nobody else is,
    // nor may become so by returning from a blocking call.
    bool only_report_is_active() const;

    // A spare worker for fibers that belong to `home`; nullptr if the kernel grants no thread. It
    // returns itself when it has run them.
    Worker *take_spare_worker(Worker &home);
    void return_spare_worker(Worker &spare);

    int active(std::memory_order order = std::memory_order_relaxed) const {
        return active_in(active_.load(order));
    }

    std::atomic<bool> quiet_is_awaited{false}; // quiet.h

    // How often somebody has ceased to be active.
    uint32_t departures() const {
        return static_cast<uint32_t>(active_.load(std::memory_order_seq_cst) >> 32); // [quiet-2]
    }

    SwitchFunction *switch_context = nullptr;
    void (*thread_start)() = nullptr; // run by each new worker thread before anything else

private:
    static void *run_worker_thread(void *worker);
    static void *run_spare_thread(void *worker);
    static void prepare_thread(Worker &worker);
    int start_thread_of(Worker &worker, bool spare);
    static void begin_fiber(void *start) MAY_SUSPEND;
    std::vector<std::unique_ptr<Worker>> workers_;
    SpinLock spare_lock_; // guards the two below
    std::vector<std::unique_ptr<Worker>> spares_;
    Worker *first_spare_ = nullptr; // those that wait for work, by next_spare_
    std::atomic<bool> stopping_{false};
    std::atomic<uint64_t> last_help_cycles_{0};
    std::atomic<uint64_t> help_interval_cycles_{help_interval_cycles_min};
    static constexpr uint64_t help_interval_cycles_min = 200'000; // 50 to 100 microseconds
    static constexpr uint64_t help_interval_cycles_max = help_interval_cycles_min << 8;
    // Who is active (the low half), and how often somebody has ceased to be (the high half): so
    // that whoever reports quiescence can tell whether the process was quiescent all the time.
    std::atomic<uint64_t> active_{0};
    static constexpr uint64_t one_departure = uint64_t{1} << 32;

    static int active_in(uint64_t word) { return static_cast<int>(static_cast<uint32_t>(word)); }

    uint64_t count_departure(); // returns the word afterwards
    Watch watch_;
    sigset_t
        signal_mask_{}; // of the workers, also of those that the watch starts, which blocks all
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
