#include "fiber/worker.h"

#include "base/futex.h"
#include "base/gs_base.h"
#include "base/pool_part.h"
#include "fiber/activity.h"
#include "fiber/external_waits.h"
#include "fiber/sanitizer.h"

#include <algorithm>
#include <sched.h>

namespace thrum {
namespace {

std::atomic<ResumeFunction *> resume_function{nullptr};

constexpr uint32_t idle_spins = 400;          // about 10 microseconds without work
constexpr uint32_t spins_between_yields = 64; // an idle worker yields its core on a busy machine
constexpr uint32_t spins_between_looks = 8;   // at other workers, until one has a task that waits
// A task that has waited for a microsecond is stolen, even from a worker that has been woken but
// does not run yet. So on a busy machine the ranks move to the cores that are free.
constexpr uint32_t polls_before_steal = 40;
// A sleeping worker checks for a backlog while others work.
constexpr int64_t look_around_ns = 2'000'000;

// Loads what the next fiber's turn needs first of its stack. What it has there, from the collective
// operation down to the switch, is loaded with it if so many fibers have had a turn since that the
// caches have lost it. Always inlined: GCC 12 drops calls of functions that only prefetch.
[[gnu::always_inline]] inline void prefetch_stack(const Task &next, size_t queue_length) {
    constexpr size_t long_queue = 256, lines = 9, line_bytes = 64; // docs/performance/misses.md
    const char *stack = static_cast<const char *>(next.stack_pointer);
    __builtin_prefetch(stack);
    if (queue_length > long_queue) [[unlikely]]
        for (size_t line = 1; line < lines; ++line)
            __builtin_prefetch(stack + line * line_bytes);
}

} // namespace

constinit TheWorkers the_workers;

void WorkerSet::create(int count) {
    switch_context = choose_switch();
    pool_part_function = [] {
        const Task *self = current_task_or_null;
        return self && self->worker ? static_cast<unsigned>(self->worker->index()) : 0U;
    };
    workers_.clear();
    plan_places(count);
    for (int i = 0; i < count; ++i) {
        Worker &worker = *workers_.emplace_back(std::make_unique<Worker>(i));
        const WorkerPlace *place = place_of_worker(i);
        if (place)
            worker.place_ = *place;
        worker.look_order_.begin(i, count, place);
    }
}

void WorkerSet::wake_one_sleeper(const Worker &but) {
    if (const WorkerPlace *place = but.place())
        if (wake_one_of(place->cache_mates, but) || wake_one_of(place->node_mates, but))
            return;
    wake_one_of({0, count()}, but);
}

// From its neighbour on, so that not all wake the same ones. A spare worker has number -1. Locks
// are taken of those alone that seem to sleep: one that falls asleep meanwhile looks around soon.
bool WorkerSet::wake_one_of(const WorkerRange &range, const Worker &but) {
    for (int i = 1; i <= range.count; ++i)
        if (Worker &worker = (*this)[range.first + (but.index() - range.first + i) % range.count];
            &worker != &but)
            if (worker.seems_asleep() && worker.wake_if_asleep())
                return true;
    return false;
}

void WorkerSet::wake_all_sleepers() {
    for (auto &worker : workers_)
        worker->wake_if_asleep();
}

bool WorkerSet::may_ask_for_help() {
    uint64_t now = __builtin_ia32_rdtsc();
    uint64_t last = last_help_cycles_.load(std::memory_order_relaxed);
    if (now - last < help_interval_cycles_.load(std::memory_order_relaxed))
        return false;
    return last_help_cycles_.compare_exchange_strong(last, now, std::memory_order_relaxed,
                                                     std::memory_order_relaxed);
}

void WorkerSet::help_was_needed(bool needed) {
    uint64_t interval = help_interval_cycles_.load(std::memory_order_relaxed);
    uint64_t next =
        needed ? help_interval_cycles_min : std::min(2 * interval, help_interval_cycles_max);
    if (next != interval)
        help_interval_cycles_.store(next, std::memory_order_relaxed);
}

void set_resume_function(ResumeFunction *function) {
    // release [resume-1]: what the function relies on.
    resume_function.store(function, std::memory_order_release);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof" // GCC and Clang know it

size_t Worker::offset_of_index() {
    return offsetof(Worker, index_);
}

size_t Worker::offset_of_thread_id() {
    return offsetof(Worker, os_thread_id_);
}

#pragma GCC diagnostic pop

// Appends to the queue, under lock_. Returns whether the worker was asleep: then wake_up() must
// follow.
bool Worker::link(Task &first, Task &last, size_t count) {
    last.next = nullptr;
    (tail_ ? tail_->next : head_) = &first;
    tail_ = &last;
    length_.store(length_.load(std::memory_order_relaxed) + count, std::memory_order_relaxed);
    bool wake = asleep_.load(std::memory_order_relaxed);
    if (wake) [[unlikely]]
        asleep_.store(false, std::memory_order_relaxed);
    return wake;
}

// Wakes the worker's thread. The caller has cleared `asleep_`, so it is called once per sleep.
void Worker::wake_up() {
    activity().add_active();                            // on behalf of the sleeper
    wake_word_.fetch_add(1, std::memory_order_release); // release [sleep-1]
    // relaxed: written before asleep_, under the same lock, unless that sleep is over.
    if (listens_.load(std::memory_order_relaxed)) [[unlikely]]
        wake_listener();
    else
        futex_wake(wake_word_);
}

// Returns whether it had to wake the worker.
bool Worker::append(Task &first, Task &last, size_t count) {
    lock_.lock();
    bool wake = link(first, last, count);
    lock_.unlock();
    if (wake) [[unlikely]]
        wake_up();
    return wake;
}

void Worker::push_chain(Task &first, Task &last, size_t count) {
    if (is_spare()) [[unlikely]] {
        push_to_home(first, last, count);
        return;
    }
    if (append(first, last, count)) [[unlikely]]
        return;
    if (workers().sleepers.load(std::memory_order_relaxed) > 0) [[unlikely]]
        ask_for_help(queue_length() >= 2);
}

Worker &Worker::worker_for(Task &task) {
    Worker &home = *task.worker;
    const Task *caller = current_task_or_null;
    Worker *here = caller ? caller->worker : nullptr;
    if (!here || here == &home) {
        task.far_wakes = 0;
        return home;
    }
    if (task.waker != here) {
        task.waker = here;
        task.far_wakes = 0;
    }
    if (++task.far_wakes < far_wakes_max || here->queue_length() >= home.queue_length() ||
        here->is_spare() || home.is_spare())
        return home;
    task.far_wakes = 0;
    return *here;
}

// Called if a worker sleeps while a task waits here. Wakes one if the task is not the only one or
// may wait for long.
[[gnu::noinline]] void Worker::ask_for_help(bool backlog) {
    if (backlog || workers().may_ask_for_help())
        workers().wake_one_sleeper(*this);
}

// Returns the next task that can be resumed here, or nullptr. A task that another worker has not
// left yet goes to the end of the queue: no worker waits for another's switch, so they cannot wait
// in a cycle.
Task *Worker::pop_from_queue(const Task *self) {
    if (handed_over_ == handed_over_never) [[unlikely]]
        return pop_by_choice(self);
    handed_over_ = 0;
    if (queue_length() == 0)
        return nullptr;
    LockGuard guard(lock_);
    for (size_t tries = length_.load(std::memory_order_relaxed); tries > 0; --tries) {
        Task *task = head_;
        head_ = task->next;
        if (!head_)
            tail_ = nullptr;
        // acquire [switch-1]: its saved context is complete. [visit-1]: no thread visits it.
        if (task == self || !task->on_worker.load(std::memory_order_acquire)) {
            const size_t length = length_.load(std::memory_order_relaxed) - 1;
            length_.store(length, std::memory_order_relaxed);
            pops_.store(pops_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
            if (head_)
                prefetch_stack(*head_, length);
            return task;
        }
        task->next = nullptr;
        (tail_ ? tail_->next : head_) = task;
        tail_ = task;
    }
    return nullptr;
}

// Does the same as pop_from_queue(), but the seed chooses among the first tasks of the queue. A
// long queue is not walked to its end.
[[gnu::noinline]] Task *Worker::pop_by_choice(const Task *self) {
    constexpr size_t choices_max = 16;
    if (queue_length() == 0)
        return nullptr;
    LockGuard guard(lock_);
    const size_t length = length_.load(std::memory_order_relaxed);
    size_t skipped = choose(std::min(length, choices_max));
    Task *before = nullptr;
    Task *task = head_;
    for (; skipped > 0; --skipped) {
        before = task;
        task = task->next;
    }
    // A task that another worker has not left yet, after it has relieved this one, is skipped.
    for (size_t tries = length; tries > 0; --tries) {
        // acquire [switch-1], [visit-1]: as in pop_from_queue().
        if (task == self || !task->on_worker.load(std::memory_order_acquire)) {
            (before ? before->next : head_) = task->next;
            if (tail_ == task)
                tail_ = before;
            length_.store(length - 1, std::memory_order_relaxed);
            pops_.store(pops_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
            return task;
        }
        before = task->next ? task : nullptr;
        task = task->next ? task->next : head_;
    }
    return nullptr;
}

// Takes half of the queue of a worker that has taken nothing from it for a while. Each call looks
// at one worker, not at all of them: with many workers the looks of the idle ones would take the
// others' cache lines away.
Task *Worker::steal() {
    if (!victim_)
        victim_ = next_victim();
    if (!victim_)
        return nullptr;
    if (!victim_->has_work()) {
        forget_victim();
        return nullptr;
    }
    uint64_t pops = victim_->pops();
    if (victim_polls_ == 0)
        victim_pops_ = pops;
    if (victim_pops_ != pops) {
        forget_victim();
        return nullptr;
    }
    if (victim_polls_++ < polls_before_steal)
        return nullptr;
    Worker &victim = *victim_;
    forget_victim();
    workers().help_was_needed(true);
    return take_half_of(victim);
}

// Returns the worker to look at next; nullptr if there is no other one.
Worker *Worker::next_victim() {
    const int number = look_order_.next();
    return number < 0 ? nullptr : &workers()[number];
}

void Worker::forget_victim() {
    victim_ = nullptr;
    victim_polls_ = 0;
}

// Moves half of the victim's queue here, at least one task, and returns one that can be resumed, if
// any. If the queue is empty, takes the victim's next task.
Task *Worker::take_half_of(Worker &victim) {
    Task *first = nullptr;
    Task *last = nullptr;
    size_t taken = 0;
    {
        LockGuard guard(victim.lock_);
        size_t length = victim.length_.load(std::memory_order_relaxed);
        for (; taken < (length + 1) / 2; ++taken) {
            last = victim.head_;
            if (!first)
                first = last;
            victim.head_ = last->next;
        }
        if (!victim.head_)
            victim.tail_ = nullptr;
        victim.length_.store(length - taken, std::memory_order_relaxed);
    }
    if (!first) {
        first = last = victim.take_next();
        taken = 1;
        // acquire [switch-1], [visit-1]: as in pop().
        if (!first || !first->on_worker.load(std::memory_order_acquire))
            return first;
    }
    push_chain(*first, *last, taken);
    return pop(nullptr);
}

// Sleeps until there may be work. begin_listening() comes before the look at the queue, so that a
// wake-up after this look is not lost.
void Worker::sleep() {
    uint32_t word = wake_word_.load(std::memory_order_acquire); // acquire [sleep-1]
    ExternalWaits *o = external_waits();
    bool listens = o && o->begin_listening();
    lock_.lock();
    bool empty = head_ == nullptr;
    asleep_.store(empty, std::memory_order_relaxed);
    listens_.store(listens && empty, std::memory_order_relaxed);
    lock_.unlock();
    if (empty) {
        workers().sleepers.fetch_add(1, std::memory_order_relaxed);
        activity().drop_active();
        int64_t timeout_ns = activity().active() > 0 ? look_around_ns : -1;
        if (activity().stopping()) {
        } else if (listens) {
            o->listen(timeout_ns);
        } else {
            futex_wait(wake_word_, word, timeout_ns);
        }
    }
    if (listens)
        o->end_listening();
    if (!empty)
        return;
    lock_.lock();
    bool woken = !asleep_.load(std::memory_order_relaxed); // the waker has counted us as active
    asleep_.store(false, std::memory_order_relaxed);
    lock_.unlock();
    workers().sleepers.fetch_sub(1, std::memory_order_relaxed);
    if (!woken)
        activity().add_active();
    else if (workers().sleepers.load(std::memory_order_relaxed) > 0 && activity().active() == 1)
        // After a time without any work: the others should look for work again.
        workers().wake_one_sleeper(*this);
}

// Returns true if it has cleared `asleep_` and counted the worker as active.
bool Worker::wake_if_asleep() {
    lock_.lock();
    bool was_asleep = asleep_.load(std::memory_order_relaxed);
    asleep_.store(false, std::memory_order_relaxed);
    lock_.unlock();
    if (was_asleep)
        wake_up();
    return was_asleep;
}

// Returns the next fiber to run; nullptr if the workers are to end. Spins first, then sleeps.
Task *Worker::find_work() {
    for (;;) {
        for (uint32_t spins = 1, looks = 0; spins <= idle_spins; ++spins) {
            if (activity().stopping())
                return nullptr;
            ExternalWaits *o = external_waits();
            if (o) [[unlikely]] {
                if (o->look())
                    spins = 1, looks = 0;
                else if (++looks * o->spins_of_look() > idle_spins || !o->yield_core())
                    break;
            }
            if (Task *task = pop(nullptr))
                return task;
            if (victim_ || spins % spins_between_looks == 1)
                if (Task *task = steal())
                    return task;
            if (spins % spins_between_yields == 0)
                ::sched_yield();
            else
                cpu_pause();
            // No other worker is awake: only a timer or a thread outside can bring work.
            if (activity().active() == 1 && !(o && o->worth_spinning()))
                break;
        }
        workers().help_was_needed(false);
        sleep();
    }
}

// Runs on the stack of a fiber that has just been resumed: releases the one that this worker has
// left.
inline void Worker::arrive_on(Task &resumed) {
    Worker &worker = *resumed.worker;
    if (Task *previous = worker.previous_) {
        worker.previous_ = nullptr;
        // release [switch-1]: the saved context is complete; a worker that sees this may resume it.
        previous->on_worker.store(false, std::memory_order_release);
    }
    if constexpr (!sanitizer::own_thread_blocks)
        current_task_or_null = &resumed;
    if (worker.gs_base_ != resumed.gs_base) { // never in programs without a gs base
        worker.gs_base_ = resumed.gs_base;
        set_gs_base(resumed.gs_base);
    }
    // acquire [resume-1]
    if (ResumeFunction *function = resume_function.load(std::memory_order_acquire)) [[unlikely]]
        function(resumed);
}

void Worker::finish_switch(Task &resumed) {
    arrive_on(resumed);
}

// Switches to `task` and saves the caller's context at *save_stack_pointer.
inline void Worker::resume(Task &task, void **save_stack_pointer, void **fake_stack) {
    change_state(task, TaskState::Runnable, TaskState::Running);
    task.worker = this;
    task.on_worker.store(true, std::memory_order_relaxed);
    sanitizer::before_switch(fake_stack, task.sanitizer_fiber, task.stack_low,
                             static_cast<size_t>(task.stack_high - task.stack_low));
    workers().switch_context(save_stack_pointer, task.stack_pointer, task.thread_pointer);
}

void Worker::leave(Task &self) {
    if (ExternalWaits *o = external_waits()) [[unlikely]] {
        // Fibers that wake each other all the time leave no worker idle to look for messages.
        constexpr uint32_t departures_between_looks = 16;
        if (++departures_ % departures_between_looks == 0)
            o->look();
    }
    Task *next = pop(&self);
    if (next == &self) { // made runnable before it has left
        change_state(self, TaskState::Runnable, TaskState::Running);
        return;
    }
    previous_ = &self;
    void *fake_stack = nullptr;
    bool done = self.state.load(std::memory_order_relaxed) == TaskState::Done;
    void **save_fake_stack = done ? nullptr : &fake_stack;
    if (next) {
        resume(*next, &self.stack_pointer, save_fake_stack);
    } else {
        sanitizer::before_switch(save_fake_stack, idle_sanitizer_fiber_, idle_stack_low_,
                                 idle_stack_bytes_);
        workers().switch_context(&self.stack_pointer, idle_stack_pointer_, idle_thread_pointer_);
    }
    sanitizer::after_switch(fake_stack);
    arrive_on(self);
}

// Runs `task` and then one fiber after the other, until one leaves when no other is runnable.
void Worker::run(Task &task) {
    void *fake_stack = nullptr;
    resume(task, &idle_stack_pointer_, &fake_stack);
    sanitizer::after_switch(fake_stack);
    if constexpr (!sanitizer::own_thread_blocks)
        current_task_or_null = nullptr;
    Task *previous = previous_;
    previous_ = nullptr;
    previous->on_worker.store(false, std::memory_order_release); // [switch-1]
}

void Worker::idle_loop() {
    while (Task *task = find_work()) {
        look_order_.restart();
        run(*task);
    }
}

} // namespace thrum
