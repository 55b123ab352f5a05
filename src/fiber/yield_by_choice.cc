#include "fiber/yield_by_choice.h"

#include "fiber/choice.h"
#include "fiber/task.h"
#include "fiber/worker.h"

namespace thrum {
namespace {

// A rank makes some calls in a row, and is often overtaken all the same: of each eight calls at
// most one lets others run. One choice decides for all eight.
constexpr uint64_t calls_of_choice = 8;

// Calls that the last choice still decides for, and how many of them will be left after the one
// that lets others run (0: the last one does).
constinit thread_local uint64_t calls_left = 0;
constinit thread_local uint64_t left_after_yield = 0;

// The plainest choice is that none of the calls lets others run.
bool chooses_to_yield() {
    if (calls_left == 0) {
        calls_left = calls_of_choice;
        left_after_yield = calls_of_choice - choose(calls_of_choice + 1);
    }
    return --calls_left == left_after_yield;
}

} // namespace

void yield_by_choice() {
    Task *self = current_task_or_null;
    if (self && self->kind == TaskKind::Fiber && chooses_to_yield() &&
        self->state.load(std::memory_order_relaxed) == TaskState::Running &&
        self->worker->has_work())
        yield();
}

} // namespace thrum
