#include "fiber/scheduler.h"

#include "base/check.h"
#include "base/futex.h"
#include "fiber/blocking_call.h"
#include "fiber/outside.h"
#include "fiber/quiet.h"
#include "fiber/sanitizer.h"
#include "fiber/team.h"
#include "fiber/thread_block.h"
#include "fiber/timer.h"
#include "trace/variables.h"

#include <algorithm>
#include <cstring>
#include <sched.h>
#include <unistd.h>

namespace thrum {
namespace {

QuiescenceFunction *quiescence_function = nullptr;

// What a fiber starts with; lies at the top of its stack.
struct alignas(64) FiberStart {
    Task *task;
    void (*entry)(void *);
    void *argument;
};

} // namespace

void set_quiescence_function(QuiescenceFunction *function) {
    quiescence_function = function;
}

constinit TheScheduler the_scheduler;

void Scheduler::create_workers(int worker_count) {
    CHECK(worker_count > 0);
    switch_context = choose_switch();
    stopping_.store(false, std::memory_order_relaxed);
    ::pthread_sigmask(SIG_SETMASK, nullptr, &signal_mask_);
    workers_.clear();
    for (int i = 0; i < worker_count; ++i)
        workers_.push_back(std::make_unique<Worker>(i));
}

void Scheduler::drop_active() {
    uint64_t left = count_departure();
    if (active_in(left) == 0 && quiet_is_awaited.load(std::memory_order_seq_cst)) // [quiet-2]
        notify_observer();
    while (active_in(left) == 0 && pending_timers() == 0 && tasks_in_blocking_calls() == 0 &&
           !stopping() && quiescence_function && !outside()) {
        add_active(); // the report itself counts, or tasks that it wakes would find themselves
                      // alone
        quiescence_function();
        uint64_t now = count_departure();
        if (now == left + one_departure)
            return;
        left = now; // somebody has come and gone meanwhile: that was no end for the report to see
    }
}

// A task is active, or inside a blocking call, or for a moment both. One that had become active
// between the look at those inside and the second look at the word has changed the word, for good:
// it counts departures.
bool Scheduler::only_report_is_active() const {
    // acquire [active-1]: whoever has left for a blocking call is counted there.
    uint64_t word = active_.load(std::memory_order_acquire);
    // acquire [inside-1], which also keeps the last load behind it: acquire [active-1].
    return active_in(word) == 1 && tasks_in_blocking_calls() == 0 &&
           active_.load(std::memory_order_acquire) == word;
}

uint64_t Scheduler::count_departure() {
    constexpr uint64_t change = one_departure - 1;
    // release [active-1]: what the last active ones have done is visible to the report. seq_cst
    // [quiet-2]: before a look whether somebody awaits the departure.
    return active_.fetch_add(change, std::memory_order_seq_cst) + change;
}

void Scheduler::wake_one_sleeper(const Worker &but) {
    for (auto &worker : workers_)
        if (worker.get() != &but && worker->wake_if_asleep())
            return;
}

void Scheduler::wake_all_sleepers() {
    for (auto &worker : workers_)
        worker->wake_if_asleep();
}

bool Scheduler::may_ask_for_help() {
    uint64_t now = __builtin_ia32_rdtsc();
    uint64_t last = last_help_cycles_.load(std::memory_order_relaxed);
    if (now - last < help_interval_cycles_.load(std::memory_order_relaxed))
        return false;
    return last_help_cycles_.compare_exchange_strong(last, now, std::memory_order_relaxed,
                                                     std::memory_order_relaxed);
}

void Scheduler::help_was_needed(bool needed) {
    uint64_t interval = help_interval_cycles_.load(std::memory_order_relaxed);
    uint64_t next =
        needed ? help_interval_cycles_min : std::min(2 * interval, help_interval_cycles_max);
    if (next != interval)
        help_interval_cycles_.store(next, std::memory_order_relaxed);
}

void Scheduler::begin_fiber(void *argument) {
    FiberStart start = *static_cast<FiberStart *>(argument);
    sanitizer::after_switch(nullptr);
    if constexpr (sanitizer::own_thread_blocks)
        initialise_thread_block();
    current_task_or_null = start.task;
    Worker::finish_switch(*start.task);
    start.entry(start.argument);
    scheduler().finish_fiber(*start.task);
}

bool Scheduler::create_fiber(Task &task, const StackArena &stacks, size_t index,
                             void (*entry)(void *), void *argument) {
    char *top = stacks.high(index);
    task.kind = TaskKind::Fiber;
    task.stack_low = stacks.low(index);
    if constexpr (sanitizer::own_thread_blocks) {
        task.thread_pointer = make_thread_block(top, task.stack_low + StackArena::guard_bytes);
        if (!task.thread_pointer)
            return false;
        top -= thread_block_bytes();
    }
    task.stack_high = top;
    task.sanitizer_fiber = sanitizer::create();
    auto *start =
        reinterpret_cast<FiberStart *>(reinterpret_cast<uintptr_t>(top) & ~uintptr_t{63}) - 1;
    *start = {&task, entry, argument};
    task.stack_pointer = make_context(start, &begin_fiber, start);
    return true;
}

void Scheduler::free_fiber(Task &task) {
    if (task.thread_pointer)
        free_thread_block(task.thread_pointer);
    sanitizer::destroy(task.sanitizer_fiber, task.stack_low,
                       static_cast<size_t>(task.stack_high - task.stack_low));
    task.thread_pointer = task.sanitizer_fiber = nullptr;
}

bool Scheduler::adopt_main_fiber(Task &task) {
    CHECK(sanitizer::own_thread_blocks, "in sanitizer builds the main thread is not a worker");
    Worker &worker = *workers_.front();
    constexpr size_t idle_stack_bytes = 128 << 10; // reports run here, too
    idle_stack_ = std::make_unique<StackArena>();
    if (!idle_stack_->reserve(1, idle_stack_bytes, thread_block_bytes()))
        return false;
    char *top = idle_stack_->high(0);
    worker.idle_thread_pointer_ =
        make_thread_block(top, idle_stack_->low(0) + StackArena::guard_bytes);
    if (!worker.idle_thread_pointer_)
        return false;
    auto run_idle_loop = [](void *argument) {
        auto *self = static_cast<Worker *>(argument);
        initialise_thread_block();
        Task *previous = self->previous_;
        self->previous_ = nullptr;
        previous->on_worker.store(false, std::memory_order_release); // [switch-1]
        self->idle_loop();
        CHECK(false, "the main thread's worker has run out of work");
    };
    worker.idle_stack_pointer_ = make_context(top - thread_block_bytes(), run_idle_loop, &worker);
    worker.thread_ = ::pthread_self();
    worker.os_thread_id_.store(::gettid(), std::memory_order_relaxed);
    task.kind = TaskKind::Fiber;
    task.worker = &worker;
    task.thread_pointer = current_thread_pointer();
    task.on_worker.store(true, std::memory_order_relaxed);
    task.state.store(TaskState::Running, std::memory_order_relaxed);
    current_task_or_null = &task;
    add_active();
    return true;
}

void Scheduler::start_fiber(Task &task, int worker_index) {
    change_state(task, TaskState::Created, TaskState::Runnable);
    task.worker = workers_[static_cast<size_t>(worker_index)].get();
    task.worker->push(task);
}

// On a worker's thread, before it runs anything.
void Scheduler::prepare_thread(Worker &worker) {
    worker.os_thread_id_.store(::gettid(), std::memory_order_relaxed);
    if (scheduler().thread_start)
        scheduler().thread_start();
    if constexpr (sanitizer::own_thread_blocks)
        worker.idle_thread_pointer_ = current_thread_pointer();
    worker.idle_sanitizer_fiber_ = sanitizer::current();
    pthread_attr_t attributes;
    void *low = nullptr;
    if (::pthread_getattr_np(::pthread_self(), &attributes) == 0) {
        ::pthread_attr_getstack(&attributes, &low, &worker.idle_stack_bytes_);
        ::pthread_attr_destroy(&attributes);
    }
    worker.idle_stack_low_ = low;
}

void *Scheduler::run_worker_thread(void *worker) {
    prepare_thread(*static_cast<Worker *>(worker));
    static_cast<Worker *>(worker)->idle_loop();
    return nullptr;
}

void *Scheduler::run_spare_thread(void *worker) {
    prepare_thread(*static_cast<Worker *>(worker));
    static_cast<Worker *>(worker)->spare_loop();
    return nullptr;
}

// Returns 0 or an error number.
int Scheduler::start_thread_of(Worker &worker, bool spare) {
    constexpr size_t worker_stack_bytes = 256 << 10; // the idle loop, and reports
    pthread_attr_t attributes;
    ::pthread_attr_init(&attributes);
    ::pthread_attr_setstacksize(&attributes, worker_stack_bytes + thread_block_bytes());
    ::pthread_attr_setsigmask_np(&attributes, &signal_mask_);
    int error = ::pthread_create(&worker.thread_, &attributes,
                                 spare ? run_spare_thread : run_worker_thread, &worker);
    ::pthread_attr_destroy(&attributes);
    return error;
}

void Scheduler::start_workers(int first) {
    for (int i = first; i < worker_count(); ++i)
        add_active(); // all of them, before the first one can fall asleep and find itself alone
    for (int i = first; i < worker_count(); ++i)
        if (int error = start_thread_of(worker(i), false))
            die(1, "cannot start worker thread %d of %d: %s; try --workers %d, or raise ulimit -u",
                i, worker_count(), std::strerror(error), i > 0 ? i : 1);
    watch_.start();
}

void Scheduler::finish_fiber(Task &task) {
    refuse_held_locks();
    // release [done-1]: a worker is still on its stack, until it says otherwise.
    change_state(task, TaskState::Running, TaskState::Done, std::memory_order_release);
    task.worker->leave(task);
    CHECK(false, "a fiber that is done was resumed");
    __builtin_unreachable();
}

void Scheduler::stop_workers() {
    stopping_.store(true, std::memory_order_release); // release [stop-1]
    watch_.stop();
    for (auto *group : {&workers_, &spares_})
        for (auto &worker : *group)
            worker->wake_if_asleep();
    for (auto *group : {&workers_, &spares_})
        for (auto &worker : *group)
            ::pthread_join(worker->thread_, nullptr);
    // The timer's thread may still be on its way out of the queue of a worker that it has woken.
    while (pending_timers() > 0)
        ::sched_yield();
    active_.fetch_sub(static_cast<uint64_t>(worker_count()) + spares_.size(),
                      std::memory_order_relaxed);
    // The workers stay until others are created: a thread outside that has made the last task
    // runnable may still be at its worker.
    spares_.clear();
    first_spare_ = nullptr;
    stopping_.store(false, std::memory_order_relaxed);
}

PERFORMANCE_VARIABLE(
    fiber_switches, .category = "scheduling",
    .description = "times that a worker of this operating-system process has resumed a rank; total "
                   "of all its ranks",
    .verbosity = MPI_T_VERBOSITY_MPIDEV_BASIC, .read = [](uint32_t) {
        uint64_t sum = 0;
        for (int i = 0; i < scheduler().worker_count(); ++i)
            sum += scheduler().worker(i).pops();
        return sum;
    });
PERFORMANCE_VARIABLE(
    ready_fibers, .category = "scheduling",
    .description =
        "ranks of this operating-system process that are ready to run and wait for a worker",
    .variable_class = MPI_T_PVAR_CLASS_LEVEL, .verbosity = MPI_T_VERBOSITY_TUNER_BASIC,
    .read = [](uint32_t) {
        uint64_t sum = 0;
        for (int i = 0; i < scheduler().worker_count(); ++i)
            sum += scheduler().worker(i).queue_length();
        return sum;
    });
PERFORMANCE_VARIABLE(
    active_threads, .category = "scheduling",
    .description = "workers of this operating-system process that are awake, and its other threads "
                   "that do not wait in MPI",
    .variable_class = MPI_T_PVAR_CLASS_LEVEL, .verbosity = MPI_T_VERBOSITY_TUNER_BASIC,
    .read = [](uint32_t) { return static_cast<uint64_t>(scheduler().active()); });

} // namespace thrum
