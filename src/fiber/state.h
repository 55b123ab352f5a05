// The one function that changes a task's state.
#pragma once
#include "base/check.h"
#include "fiber/task.h"

namespace thrum {

inline const char *state_name(TaskState state) {
    constexpr const char *names[] = {"Created", "Runnable", "Running", "Waiting", "Done"};
    return names[static_cast<unsigned>(state)];
}

// The task must be in state `from`, and the caller must be the only one who may change it now.
inline void change_state(Task &task, TaskState from, TaskState to) {
    TaskState old = task.state.load(std::memory_order_relaxed);
    CHECK(old == from, "task is %s, not %s", state_name(old), state_name(from));
    task.state.store(to, std::memory_order_relaxed);
}

} // namespace thrum
