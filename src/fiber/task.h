// Task: what can wait and be made runnable. A task is a fiber, or an OS thread (a rank of its own
// with --threads=os, the only rank of a singleton, or a thread that a rank has made).
//
// The one wait primitive (after folly's fibers::Baton): a task calls prepare_to_suspend(),
// publishes itself where its waker will find it, then calls suspend(); the waker takes it from
// there and calls make_runnable(). Whoever finds after all that there is nothing to wait for, and
// has not published itself or has taken that back, calls abandon_suspension() instead of suspend().
//
// Invariants
// 1. Exactly one make_runnable() for each suspend(). It may come before the suspend() has switched.
// 2. The state changes only through change_state(), which asserts the old state.
// 3. Nobody resumes a fiber before the worker that ran it has left its stack (`on_worker`).
#pragma once
#include "base/check.h"
#include "base/may_suspend.h"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace thrum {

class Worker;

enum class TaskState : uint8_t { Created, Runnable, Running, Waiting, Done };
enum class TaskKind : uint8_t { Fiber, OsThread };

struct Task {
    // Link of a run queue or of a wait list; belongs to whoever holds the task.
    Task *next = nullptr;
    TaskKind kind = TaskKind::OsThread;
    // Written by the task itself (Running -> Waiting, before it publishes itself) and by its waker
    // (Waiting -> Runnable): the publication orders the two, so no write needs to be a
    // read-modify-write. Read by reports at any time, hence atomic.
    std::atomic<TaskState> state{TaskState::Created};

    // A fiber's part. Written by the worker that runs or ran it.
    std::atomic<bool> on_worker{false}; // a worker is on this fiber's stack
    Worker *worker = nullptr;           // where it runs, or ran last
    void *stack_pointer = nullptr;      // saved context; valid while !on_worker and not Running
    void *thread_pointer = nullptr;     // FS base: its thread control block
    uintptr_t gs_base = 0;              // of programs compiled with --privatize (base/gs_base.h)
    char *stack_low = nullptr;          // its stack: [stack_low, stack_high)
    char *stack_high = nullptr;
    void *sanitizer_fiber = nullptr; // what TSan or ASan knows of it

    // The call of the C library that it may be asleep in (fiber/blocking_call.h); for reports.
    std::atomic<const char *> blocking_call{nullptr};

    // An OS thread's part: 1 once made runnable; the futex it sleeps on.
    std::atomic<uint32_t> runnable_word{0};
    std::atomic<bool> asleep{false};  // in that futex: no lock is held
    std::atomic<int> os_thread_id{0}; // gettid(); set at its enter_os_thread()
};

const char *state_name(TaskState state);

[[noreturn, gnu::cold]] void wrong_state(TaskState state, TaskState expected);

// The one function that changes a task's state, which must be `from`; the caller must be the only
// one who may change it now.
inline void change_state(Task &task, TaskState from, TaskState to,
                         std::memory_order order = std::memory_order_relaxed) {
    TaskState old = task.state.load(std::memory_order_relaxed);
    if (old != from) [[unlikely]]
        wrong_state(old, from);
    task.state.store(to, order);
}

// The task that is calling. Constant for a fiber or thread, as each has a TLS block of its own.
extern constinit thread_local Task *current_task_or_null;
// Makes a task for an OS thread that is none yet; a layer above installs what it wants to have
// made.
using AdoptFunction = Task *();
void set_adopt_function(AdoptFunction *function);
[[gnu::cold]] Task &adopt_current_thread();

// In sanitizer builds a fiber finds itself on another worker's TLS after a switch: a function that
// suspends must not keep the variable's address.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
[[gnu::noinline]]
#endif
inline Task &current_task() {
    Task *task = current_task_or_null;
    return task ? *task : adopt_current_thread();
}

// Makes `task` (kind OsThread) the calling OS thread's current task, and the reverse at its end. A
// process with such a task that does not wait is not quiescent.
void enter_os_thread(Task &task);
void leave_os_thread(Task &task);
// OS threads that are tasks now.
int os_thread_tasks();
// Around the time between the making of such a thread and its enter_os_thread(), in which its maker
// may wait for it: the process is not quiescent.
void announce_os_thread();
void withdraw_os_thread();

// A signal handler that has interrupted a wait of its rank waits itself: ends the process.
[[noreturn, gnu::cold]] void refuse_nested_wait();

// Called on each resumed fiber, on its own stack, before it goes on; nullptr: nothing. May be set
// while fibers run: those that are resumed by the caller's worker, or made runnable by it, see it.
using ResumeFunction = void(Task &);
void set_resume_function(ResumeFunction *function);

// Before `self`, the caller, lets anybody know that it waits.
inline void prepare_to_suspend(Task &self) {
    if (self.state.load(std::memory_order_relaxed) == TaskState::Waiting) [[unlikely]]
        refuse_nested_wait();
    change_state(self, TaskState::Running, TaskState::Waiting);
}

inline void abandon_suspension(Task &self) {
    change_state(self, TaskState::Waiting, TaskState::Running);
}

// Waits until make_runnable(current_task()).
void suspend() MAY_SUSPEND;

// Makes a task that has prepared, and has called or is about to call suspend(), run again.
void make_runnable(Task &task);

// A wait list: tasks linked by Task::next, in order of arrival.
struct TaskList {
    Task *first = nullptr;
    Task *last = nullptr;
    size_t count = 0;

    bool empty() const { return first == nullptr; }

    void push(Task &task) {
        task.next = nullptr;
        (last ? last->next : first) = &task;
        last = &task;
        ++count;
    }

    Task *pop() {
        Task *task = first;
        if (task) {
            first = task->next;
            if (!first)
                last = nullptr;
            --count;
        }
        return task;
    }
};

// make_runnable() for every task of the list, which is left empty: one splice per worker and run of
// neighbours, not one queue operation per task.
void make_all_runnable(TaskList &list);

// Lets the other runnable tasks of this worker run, then goes on.
void yield() MAY_SUSPEND;

// Waits until the monotonic clock shows `deadline_ns`.
void wait_until(int64_t deadline_ns) MAY_SUSPEND;

// Whether a task that waits for another core should spin for a moment before it suspends: true if
// its worker has nothing else to run. `spins` counts the caller's attempts so far; the answer turns
// false after a few microseconds.
bool should_spin(unsigned spins);

} // namespace thrum
