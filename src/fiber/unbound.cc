#include "fiber/unbound.h"

#include "fiber/task_state.h"
#include "fiber/usable_cores.h"
#include "fiber/worker.h"

#include <sched.h>

namespace thrum {

Unbound::Unbound() : worker_(nullptr) {
    const Task *task = current_task_or_null;
    if (!task || task->kind != TaskKind::Fiber || !task->worker->place())
        return;
    worker_ = task->worker;
    end_binding();
}

Unbound::~Unbound() {
    if (worker_)
        bind_to(*worker_->place());
}

void end_binding() {
    if (place_of_worker(0))
        ::sched_setaffinity(0, sizeof usable_processors(), &usable_processors());
}

} // namespace thrum
