// How tasks (task_state.h) wait and are made runnable: the interface of this folder.
//
// The one wait primitive (after folly's fibers::Baton): a task calls prepare_to_suspend(),
// publishes itself where its waker will find it, then calls suspend(). The waker takes it from
// there and calls make_runnable(). A task may find after all that it need not wait. If it has not
// published itself, or has withdrawn that, it calls abandon_suspension() instead.
//
// Invariants
// 1. There is exactly one make_runnable() for each suspend(). It may come before the suspend() has
//    switched.
// 2. A fiber is resumed only after the worker that ran it has left its stack (`on_worker`).
#pragma once
#include "base/may_suspend.h"
#include "fiber/activity.h"
#include "fiber/external_waits.h"
#include "fiber/task_state.h"

namespace thrum {

// Sets the function that makes a task for an OS thread that has none yet. A layer above installs
// it.
using AdoptFunction = Task *();
void set_adopt_function(AdoptFunction *function);
[[gnu::cold]] Task &adopt_current_thread();

// Returns the calling task, or nullptr if the thread has none yet. In sanitizer builds a fiber may
// use another worker's TLS after a switch. So a function that suspends must not keep the variable's
// address.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
[[gnu::noinline]]
#endif
inline Task *find_current_task() {
    return current_task_or_null;
}

inline Task &current_task() {
    Task *task = find_current_task();
    return task ? *task : adopt_current_thread();
}

// Makes `task` (kind OsThread) the calling OS thread's current task, and the reverse at its end. A
// process is not quiescent while such a task does not wait.
void enter_os_thread(Task &task);
void leave_os_thread(Task &task);
// Returns how many OS threads are tasks.
int os_thread_tasks();
// Called before such a thread is made; withdraw_os_thread() is called after its enter_os_thread().
// The process is not quiescent in between, although the maker may wait for the thread.
void announce_os_thread();
void withdraw_os_thread();

// Called before `self`, the caller, publishes that it waits.
inline void prepare_to_suspend(Task &self) {
    change_state(self, TaskState::Running, TaskState::Waiting);
}

// Makes the caller Running again, if it need not suspend after all.
inline void abandon_suspension(Task &self) {
    change_state(self, TaskState::Waiting, TaskState::Running);
}

// Waits until make_runnable(current_task()), which may have been called already.
void suspend() MAY_SUSPEND;
// Does the same for a caller that knows itself: `self` is current_task().
void suspend(Task &self) MAY_SUSPEND;

// Sets the function that a task with an OS thread calls after each suspension, on its own stack;
// nullptr: none. The counterpart of set_resume_function() for fibers (worker.h).
using AfterSuspension = void(Task &);
void set_after_suspension(AfterSuspension *function);

// Makes a task runnable that has prepared to suspend, and has called or is about to call suspend().
// Any thread may call it.
void make_runnable(Task &task);

// Calls make_runnable() for every task of the list, which is empty afterwards. Neighbours in the
// list that belong to one worker cost one queue operation together.
void make_all_runnable(TaskList &list);

// Lets the other runnable tasks of this worker run, then continues.
void yield() MAY_SUSPEND;

bool should_spin_beside_others(unsigned spins);

// Returns whether a task that waits for another core should spin before it suspends: true for a few
// microseconds, if its worker has nothing else to run. `spins` counts the caller's attempts so far.
inline bool should_spin(unsigned spins) {
    if (activity().active() <= 1 && !external_waits())
        return false; // no other thread is awake that could complete the operation
    return should_spin_beside_others(spins);
}

} // namespace thrum
