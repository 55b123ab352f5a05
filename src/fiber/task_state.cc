#include "fiber/task_state.h"

#include "base/check.h"

namespace thrum {

constinit thread_local Task *current_task_or_null = nullptr;

const char *state_name(TaskState state) {
    constexpr const char *names[] = {"Created", "Runnable", "Running", "Waiting", "Done"};
    return names[static_cast<unsigned>(state)];
}

void wrong_state(TaskState state, TaskState expected) {
    if (state == TaskState::Waiting && expected == TaskState::Running)
        die(2, "a signal handler that interrupted an MPI call tried to block; only "
               "async-signal-safe functions may be called there");
    CHECK(state == expected, "task is %s, not %s", state_name(state), state_name(expected));
    __builtin_unreachable();
}

} // namespace thrum
