#include "fiber/hand_over.h"

#include "fiber/worker.h"

namespace thrum {

inline void Worker::run_next(Task &task) {
    ++handed_over_;
    next_.store(&task, std::memory_order_release); // release [next-1]
    if (workers().sleepers.load(std::memory_order_relaxed) > 0) [[unlikely]]
        ask_for_help(queue_length() >= 1);
}

void hand_over(Task &task) {
    // A thread that handles messages from other processes may have no task.
    const Task *self = current_task_or_null;
    Worker *worker = task.worker; // nullptr: an OS thread
    if (worker && worker->may_run_next(self)) {
        change_state(task, TaskState::Waiting, TaskState::Runnable);
        task.far_wakes = 0;
        worker->run_next(task);
    } else {
        make_runnable(task);
    }
}

} // namespace thrum
