// How tasks (task_state.h) wait and are made runnable: the interface of this folder.
//
// The one wait primitive (after folly's fibers::Baton): a task calls prepare_to_suspend(),
// publishes itself where its waker will find it, then calls suspend(); the waker takes it from
// there and calls make_runnable(). A task that finds after all that there is nothing to wait for,
// and has not published itself or has taken that back, calls abandon_suspension() instead.
//
// Invariants
// 1. Exactly one make_runnable() for each suspend(). It may come before the suspend() has switched.
// 2. Nobody resumes a fiber before the worker that ran it has left its stack (`on_worker`).
#pragma once
#include "base/may_suspend.h"
#include "fiber/task_state.h"

namespace thrum {

// Sets the function that makes a task for an OS thread that has none yet. A layer above installs
// it.
using AdoptFunction = Task *();
void set_adopt_function(AdoptFunction *function);
[[gnu::cold]] Task &adopt_current_thread();

// In sanitizer builds a fiber may use another worker's TLS after a switch, so a function that
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
// Returns how many OS threads are tasks now.
int os_thread_tasks();
// Called before such a thread is made, and at its enter_os_thread(): the process is not quiescent
// in between, though the maker may wait for the thread.
void announce_os_thread();
void withdraw_os_thread();

// Ends the process, because a signal handler that has interrupted a wait of its rank waits itself.
[[noreturn, gnu::cold]] void refuse_nested_wait();

// Called before `self`, the caller, publishes that it waits.
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

// Calls make_runnable() for every task of the list, which is left empty. Costs one splice for each
// worker and run of neighbours, not one queue operation for each task.
void make_all_runnable(TaskList &list);

// Lets the other runnable tasks of this worker run, then goes on.
void yield() MAY_SUSPEND;

// Returns whether a task that waits for another core should spin before it suspends: true if its
// worker has nothing else to run, for a few microseconds. `spins` counts the caller's attempts so
// far.
bool should_spin(unsigned spins);

} // namespace thrum
