// Activity: whether anything in this process may still make a task run. Counts the threads that are
// active, the timers, and the tasks in blocking calls. When none of them is left, the process is
// quiescent: the report of deadlocks is called, or the observer (process_quiescence.h) is woken.
#pragma once
#include <atomic>
#include <cstdint>

namespace thrum {

// Called when no task of the process runs, and neither a timer nor another thread can make one run.
// Then either all tasks are done, or all wait and nothing will ever happen again. The called
// function knows which. It may report and end the process. If it returns, the workers continue to
// sleep.
using QuiescenceFunction = void();
void set_quiescence_function(QuiescenceFunction *function);

class alignas(64) Activity {
public:
    // Counts a thread as active: a worker that is awake, or an OS-thread task that does not wait.
    // The thread that wakes another one calls this on behalf of the sleeper, before it wakes it.
    void add_active() {
        if (active_in(active_.fetch_add(1, std::memory_order_seq_cst)) == 0 && // [watch-1]
            watch_sleeps_.load(std::memory_order_seq_cst)) [[unlikely]]        // [watch-1]
            wake_watch();
    }

    // Ends what add_active() began. The thread that makes the count 0 reports quiescence.
    void drop_active();

    int active(std::memory_order order = std::memory_order_relaxed) const {
        return active_in(active_.load(order));
    }

    // Returns how often a thread has ceased to be active.
    uint32_t departures() const {
        return static_cast<uint32_t>(active_.load(std::memory_order_seq_cst) >> 32); // [quiet-2]
    }

    // Returns whether the report of quiescence, which counts as active itself, is the only active
    // thread, and none can become active by returning from a blocking call.
    bool only_report_is_active() const;
    // Returns whether only another process can make a task of this one run.
    bool is_quiet() const;

    // Sets whether the workers are to end. Ending workers do not report quiescence.
    void set_stopping(bool stopping) {
        stopping_.store(stopping, std::memory_order_release); // release [stop-1]
    }

    bool stopping() const { return stopping_.load(std::memory_order_acquire); } // [stop-1]

    // Removes `count` ended workers from the number of active threads, for stop_workers().
    void forget_ended(uint64_t count) { active_.fetch_sub(count, std::memory_order_relaxed); }

    // Timers that are set and have not yet fired. release and acquire [timer-2]: the pushes into
    // workers' queues are over.
    std::atomic<int> pending_timers{0};
    // Tasks in a blocking call. release and acquire [inside-1]: a task that is no longer counted
    // here is active.
    std::atomic<int> blocking_calls{0};

    // Lets the watch (watch.h) sleep until a thread becomes active. If one is already active,
    // sleeps at most `look_every_ns`.
    void sleep_as_watch(int64_t look_every_ns);
    void wake_watch();

    // Lets the observer (process_quiescence.h) sleep until there is news after `seen_news`. If
    // `quiet_too`, it also wakes when this process has become quiet after `seen_departures`.
    void sleep_as_observer(uint32_t seen_news, uint32_t seen_departures, bool quiet_too,
                           int64_t timeout_ns);
    void wake_observer();

    uint32_t news() const { return news_.load(std::memory_order_acquire); } // acquire [quiet-1]

private:
    // The number of active threads (the low half), and how often one has ceased to be active (the
    // high half). From the high half the report of quiescence can tell whether the process was
    // quiescent all the time.
    std::atomic<uint64_t> active_{0};
    static constexpr uint64_t one_departure = uint64_t{1} << 32;

    static int active_in(uint64_t word) { return static_cast<int>(static_cast<uint32_t>(word)); }

    uint64_t count_departure(); // returns the word afterwards
    // Returns whether a timer or a blocking call may make a waiting task run.
    bool has_pending() const;
    std::atomic<bool> stopping_{false};
    std::atomic<bool> watch_sleeps_{false};
    std::atomic<uint32_t> watch_word_{0}; // futex
    std::atomic<bool> quiet_is_awaited_{false};
    std::atomic<uint32_t> news_{0}; // futex
};

extern constinit Activity the_activity;

inline Activity &activity() {
    return the_activity;
}

} // namespace thrum
