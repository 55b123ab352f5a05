// Worker: an OS thread that runs fibers, and its run queue. (A spare worker runs a fiber only
// during a call that may block, or the fibers of a stuck worker: fiber/blocking_call.h,
// fiber/watch.h.)
//
// Life of a fiber, with the function that makes each step:
//
//   Created --spawn--> Runnable --run_next/idle_loop--> Running --suspend--> Waiting
//                         ^                                |                    |
//                         +------------yield---------------+                    |
//                         +---------------------make_runnable------------------ +
//   Running --finish_fiber--> Done
//
// Invariants
// 1. A queued task is in one queue. The queue's lock guards head, tail and `asleep`.
// 2. A worker falls asleep only with an empty queue, and decides this under the queue's lock. So a
//    push that finds it asleep wakes it, and it sees a push that found it awake.
// 3. `active` (activity.h) counts the workers that are awake and the OS-thread tasks that do not
//    wait.
#pragma once
#include "base/spinlock.h"
#include "fiber/choice.h"
#include "fiber/context.h"
#include "fiber/look_order.h"
#include "fiber/places.h"
#include "fiber/task_state.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <pthread.h>
#include <vector>

namespace thrum {

class alignas(128) Worker {
public:
    explicit Worker(int index) : handed_over_(has_seed() ? handed_over_never : 0), index_(index) {}

    int index() const { return index_; }

    // Returns where the worker runs; nullptr: anywhere.
    const WorkerPlace *place() const { return place_ ? &*place_ : nullptr; }

    // Appends a Runnable task (or a chain of `count`) to the queue. Wakes the worker if it sleeps;
    // otherwise it may wake another one that can help. Any thread may call it.
    void push(Task &task) { push_chain(task, task, 1); }

    void push_chain(Task &first, Task &last, size_t count);

    // Returns the worker on which a task that the caller makes runnable is to run: where it ran
    // last. But if it has been woken from the caller's worker many times in a row, and that has
    // less to do, it comes there: so two that only talk to each other meet.
    static Worker &worker_for(Task &task);
    static constexpr unsigned far_wakes_max = 8;

    // The next functions are for spare workers: see spare_workers.cc.
    void push_to_spare(Task &task) { append(task, task, 1); }

    void relieve(Worker &stuck);
    void stop_relieving();

    bool is_spare() const { return index_ < 0; }

    // Returns whether `caller` (the calling task or nullptr) is a fiber that runs here and may call
    // run_next(). Returns false after many calls in a row, so that two fibers that hand over to
    // each other do not keep the queue waiting. Always false for code that visits a fiber
    // (fiber/visit.h).
    bool may_run_next(const Task *caller) const {
        return caller && caller->worker == this &&
               caller->state.load(std::memory_order_relaxed) == TaskState::Running && !is_spare() &&
               handed_over_ < handed_over_max && next_.load(std::memory_order_relaxed) == nullptr;
    }

    // Lets `task`, which is Runnable and has run here last, run before the queue. may_run_next()
    // must be true.
    void run_next(Task &task);

    // Returns whether a task is queued here. A hint for threads other than the owner.
    bool has_work() const {
        return queue_length() > 0 || next_.load(std::memory_order_relaxed) != nullptr;
    }

    // Returns the worker to which a spare worker's fibers belong.
    Worker &home() {
        LockGuard guard(lock_);
        return *home_;
    }

    size_t queue_length() const { return length_.load(std::memory_order_relaxed); }

    uint64_t pops() const { return pops_.load(std::memory_order_relaxed); }

    bool seems_asleep() const { return asleep_.load(std::memory_order_relaxed); }

    bool is_asleep() {
        LockGuard guard(lock_);
        return asleep_.load(std::memory_order_relaxed);
    }

    // Offsets for debuggers, which read the memory of the process.
    static size_t offset_of_index();
    static size_t offset_of_thread_id();

    // Returns gettid() of the OS thread that runs this worker; 0: not started. Any thread may call
    // it.
    int os_thread_id() const { return os_thread_id_.load(std::memory_order_relaxed); }

    // Switches from the fiber `self`, whose state says why, to the next runnable one, or to the
    // idle loop. Returns when `self` is resumed, perhaps by another worker.
    void leave(Task &self) MAY_SUSPEND;
    // Runs fibers until the scheduler stops, on the worker's own (idle) context.
    void idle_loop();

    // Data of the layer above for this worker's OS thread. Only the owner uses it.
    void *attachment = nullptr;
    // For the watch only: pops() at its last look, and the time since when it has not changed
    // although there is a backlog.
    uint64_t pops_seen_by_watch = ~uint64_t{0};
    int64_t stuck_since_ns = 0;

private:
    friend class WorkerSet;
    friend class Scheduler;
    bool append(Task &first, Task &last, size_t count);
    bool link(Task &first, Task &last, size_t count);
    void ask_for_help(bool backlog);
    void wake_up();
    void come_from(Worker &home);
    void push_to_home(Task &first, Task &last, size_t count);
    Task *pop(const Task *self);
    Task *pop_from_queue(const Task *self);
    Task *pop_by_choice(const Task *self);
    Task *steal();
    Worker *next_victim();
    void forget_victim();
    Task *take_half_of(Worker &victim);
    Task *take_next();
    Task *find_work();
    void sleep();
    void spare_loop();
    void run(Task &task);
    bool wake_if_asleep();
    void resume(Task &task, void **save_stack_pointer, void **fake_stack);
    static void arrive_on(Task &resumed);
    static void finish_switch(Task &resumed); // arrive_on() for a fiber's first time

    SpinLock lock_;
    Task *head_ = nullptr; // guarded by lock_
    Task *tail_ = nullptr;
    std::atomic<bool> asleep_{false}; // written under lock_; read by anyone as a hint
    std::atomic<size_t> length_{0};   // written under lock_; read by anyone as a hint
    std::atomic<uint64_t> pops_{0}; // likewise: a thief sees from it whether the owner takes tasks

    // The task of run_next(). The owner writes it when it is empty; the taker empties it.
    std::atomic<Task *> next_{nullptr};

    // The members from here to the atomics are used by the owner only. Counts the tasks that
    // run_next() has put before the queue since the last pop from the queue.
    unsigned handed_over_ = 0;
    static constexpr unsigned handed_over_max = 64;
    // With a seed nothing is handed over: which fiber runs next is a choice (fiber/choice.h).
    static constexpr unsigned handed_over_never = ~0u;
    Task *previous_ = nullptr; // the fiber just left, to be released on the next stack
    uintptr_t gs_base_ = 0;    // of the thread; the idle loop does not change it
    void *idle_stack_pointer_ = nullptr;
    void *idle_thread_pointer_ = nullptr;
    void *idle_sanitizer_fiber_ = nullptr;
    const void *idle_stack_low_ = nullptr;
    size_t idle_stack_bytes_ = 0;
    int index_;
    pthread_t thread_{};
    std::atomic<int> os_thread_id_{0};
    std::atomic<uint32_t> wake_word_{0}; // futex
    // Sleeps as the listener for other processes (fiber/external_waits.h). Written under lock_.
    std::atomic<bool> listens_{false};
    // The worker that this one looks at for work, how many tasks it had taken at the first look,
    // and the looks since then: only tasks that have waited for a while are stolen.
    Worker *victim_ = nullptr;
    uint64_t victim_pops_ = 0;
    uint32_t victim_polls_ = 0;
    LookOrder look_order_;    // in which it looks at others
    uint32_t departures_ = 0; // from fibers, while an ExternalWaits is installed

    std::optional<WorkerPlace> place_; // constant while workers run

    // For spare workers.
    Worker *next_spare_ = nullptr; // in the free list
    Worker *home_ = nullptr;       // guarded by lock_: the worker to which its fibers belong
    bool relieved_ = false;        // guarded by lock_: it has the queue of a stuck worker
    bool has_run_ = false;         // guarded by lock_: since it was taken from the free list
};

// The workers of the process, and what they share.
class alignas(64) WorkerSet {
public:
    // Makes `count` workers; none runs yet.
    void create(int count);

    Worker &operator[](int index) { return *workers_[static_cast<size_t>(index)]; }

    int count() const { return static_cast<int>(workers_.size()); }

    // Wakes a sleeping worker other than `but`, if there is one, so that it looks for work. Prefers
    // one that is near `but`.
    void wake_one_sleeper(const Worker &but);
    void wake_all_sleepers();
    // Returns whether a worker that runs one task, while another one waits, should wake a sleeper
    // for it. The running task may compute for long, or suspend in a moment; then the wake-up was
    // in vain. Returns true at most once in an interval, which doubles while such wake-ups are in
    // vain.
    bool may_ask_for_help();
    // Reports whether an idle worker has found work to steal.
    void help_was_needed(bool needed);

    // Read at each switch, as `workers_` is; what changes while workers run has lines of its own.
    SwitchFunction *switch_context = nullptr;

private:
    bool wake_one_of(const WorkerRange &range, const Worker &but);
    std::vector<std::unique_ptr<Worker>> workers_;

public:
    alignas(64) std::atomic<int> sleepers{0}; // workers asleep; a hint

private:
    alignas(64) std::atomic<uint64_t> last_help_cycles_{0};
    std::atomic<uint64_t> help_interval_cycles_{help_interval_cycles_min};
    static constexpr uint64_t help_interval_cycles_min = 200'000; // 50 to 100 microseconds
    static constexpr uint64_t help_interval_cycles_max = help_interval_cycles_min << 8;
};

// Never destroyed: workers run while the process exits.
union TheWorkers {
    constexpr TheWorkers() : value() {}

    ~TheWorkers() {}

    WorkerSet value;
};

extern constinit TheWorkers the_workers;

inline WorkerSet &workers() {
    return the_workers.value;
}

// Sets the function that each resumed fiber calls, on its own stack, before it continues; nullptr:
// none. May be set while fibers run: all fibers that the caller's worker resumes or makes runnable
// afterwards call it.
using ResumeFunction = void(Task &);
void set_resume_function(ResumeFunction *function);

// Takes the task of run_next(), if there is one. Thieves call it, too.
inline Task *Worker::take_next() {
    if (!next_.load(std::memory_order_relaxed))
        return nullptr;
    // acquire [next-1]: what happened to the task on its worker, which has left its stack.
    return next_.exchange(nullptr, std::memory_order_acquire);
}

// Returns the next task that can be resumed here, or nullptr. `self`: the fiber that is about to
// leave; it may be resumed even though this worker is on its stack.
inline Task *Worker::pop(const Task *self) {
    if (Task *task = take_next()) {
        // acquire [switch-1], [visit-1]: as in pop_from_queue(); take_next() is a locked
        // instruction.
        if (task == self || !task->on_worker.load(std::memory_order_acquire)) [[likely]] {
            pops_.store(pops_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
            return task;
        }
        push_chain(*task, *task, 1); // until the visitor has left its stack
    }
    return pop_from_queue(self);
}

} // namespace thrum
