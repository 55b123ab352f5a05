#include "fiber/yield_by_choice.h"

#include "fiber/choice.h"
#include "fiber/task.h"
#include "fiber/worker.h"

namespace thrum {

// One in eight: a rank makes some calls in a row, and is often overtaken all the same.
void yield_by_choice() {
    constexpr uint64_t calls_between_yields = 8;
    Task *self = current_task_or_null;
    if (self && self->kind == TaskKind::Fiber &&
        self->state.load(std::memory_order_relaxed) == TaskState::Running &&
        self->worker->has_work() && choose_one_in(calls_between_yields))
        yield();
}

} // namespace thrum
