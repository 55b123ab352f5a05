#include "fiber/scheduler.h"

#include "base/check.h"
#include "base/own_threads.h"
#include "fiber/activity.h"
#include "fiber/sanitizer.h"
#include "fiber/task_tray.h"
#include "fiber/thread_block.h"
#include "fiber/unbound.h"
#include "trace/variables.h"

#include <cstring>
#include <sched.h>
#include <unistd.h>

namespace thrum {
namespace {

// The arguments with which a fiber starts; stored at the top of its stack.
struct alignas(64) FiberStart {
    Task *task;
    void (*entry)(void *);
    void *argument;
};

} // namespace

constinit TheScheduler the_scheduler;

void Scheduler::create_workers(int worker_count) {
    CHECK(worker_count > 0);
    activity().set_stopping(false);
    ::pthread_sigmask(SIG_SETMASK, nullptr, &signal_mask_);
    workers().create(worker_count);
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
    Worker &worker = workers()[0];
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
    if (const WorkerPlace *place = worker.place())
        bind_to(*place);
    worker.thread_ = ::pthread_self();
    worker.os_thread_id_.store(::gettid(), std::memory_order_relaxed);
    task.kind = TaskKind::Fiber;
    task.worker = &worker;
    task.thread_pointer = current_thread_pointer();
    task.on_worker.store(true, std::memory_order_relaxed);
    task.state.store(TaskState::Running, std::memory_order_relaxed);
    current_task_or_null = &task;
    activity().add_active();
    return true;
}

void Scheduler::start_fiber(Task &task, int worker_index) {
    change_state(task, TaskState::Created, TaskState::Runnable);
    task.worker = &workers()[worker_index];
    task.worker->push(task);
}

// Prepares a worker's thread, on that thread, before it runs a fiber.
void Scheduler::prepare_thread(Worker &worker) {
    worker.os_thread_id_.store(::gettid(), std::memory_order_relaxed);
    if (const WorkerPlace *place = worker.place())
        bind_to(*place);
    else
        end_binding(); // a spare worker has its maker's
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
    int error = create_own_thread(&worker.thread_, &attributes,
                                  spare ? run_spare_thread : run_worker_thread, &worker);
    ::pthread_attr_destroy(&attributes);
    return error;
}

void Scheduler::start_workers(int first) {
    // All of them, before the first one can fall asleep and find the process quiescent.
    for (int i = first; i < worker_count(); ++i)
        activity().add_active();
    for (int i = first; i < worker_count(); ++i)
        if (int error = start_thread_of(workers()[i], false))
            die(1, "cannot start worker thread %d of %d: %s; try --workers %d, or raise ulimit -u",
                i, worker_count(), std::strerror(error), i > 0 ? i : 1);
}

void Scheduler::finish_fiber(Task &task) {
    refuse_held_locks();
    if (TaskTray *tray = task.tray.load(std::memory_order_relaxed))
        tray->close();
    // release [done-1]: a worker still uses the stack, until it clears on_worker.
    change_state(task, TaskState::Running, TaskState::Done, std::memory_order_release);
    task.worker->leave(task);
    CHECK(false, "a fiber that is done was resumed");
    __builtin_unreachable();
}

void Scheduler::announce_stop() {
    activity().set_stopping(true);
}

void Scheduler::stop_workers() {
    workers().wake_all_sleepers();
    for (auto &spare : spares_)
        spare->wake_if_asleep();
    for (int i = 0; i < worker_count(); ++i)
        join_own_thread(workers()[i].thread_);
    for (auto &spare : spares_)
        join_own_thread(spare->thread_);
    // The timer's thread may not yet have left the queue of a worker that it has woken.
    while (activity().pending_timers.load(std::memory_order_acquire) > 0) // [timer-2]
        ::sched_yield();
    activity().forget_ended(static_cast<uint64_t>(worker_count()) + spares_.size());
    // The workers stay until others are created: a thread outside that has made the last task
    // runnable may still use its worker.
    spares_.clear();
    first_spare_ = nullptr;
    activity().set_stopping(false);
}

PERFORMANCE_VARIABLE(
    fiber_switches, .category = "scheduling",
    .description = "times that a worker of this operating-system process has resumed a rank; total "
                   "of all its ranks",
    .verbosity = MPI_T_VERBOSITY_MPIDEV_BASIC, .read = [](uint32_t) {
        uint64_t sum = 0;
        for (int i = 0; i < workers().count(); ++i)
            sum += workers()[i].pops();
        return sum;
    });
PERFORMANCE_VARIABLE(
    ready_fibers, .category = "scheduling",
    .description =
        "ranks of this operating-system process that are ready to run and wait for a worker",
    .variable_class = MPI_T_PVAR_CLASS_LEVEL, .verbosity = MPI_T_VERBOSITY_TUNER_BASIC,
    .read = [](uint32_t) {
        uint64_t sum = 0;
        for (int i = 0; i < workers().count(); ++i)
            sum += workers()[i].queue_length();
        return sum;
    });
PERFORMANCE_VARIABLE(
    active_threads, .category = "scheduling",
    .description = "workers of this operating-system process that are awake, and its other threads "
                   "that do not wait in MPI",
    .variable_class = MPI_T_PVAR_CLASS_LEVEL, .verbosity = MPI_T_VERBOSITY_TUNER_BASIC,
    .read = [](uint32_t) { return static_cast<uint64_t>(activity().active()); });

} // namespace thrum
