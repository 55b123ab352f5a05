#include "fiber/yield_by_choice.h"

#include "fiber/choice.h"
#include "fiber/task.h"
#include "fiber/worker.h"

namespace thrum {
namespace {

// A rank makes some calls in a row, and is often overtaken all the same: of each eight calls at
// most one lets others run. One choice decides for all eight.
constexpr uint64_t calls_of_choice = 8;

// The next calls that let nobody run. The one after them lets others run if `yields_next`;
// otherwise it begins the next eight.
constinit thread_local uint64_t quiet_calls = 0;
constinit thread_local bool yields_next = false;
constinit thread_local uint64_t quiet_after_yield = 0;

// Returns whether the call after the quiet ones lets others run. The plainest choice is that none
// of the eight does.
bool chooses_to_yield() {
    if (!yields_next) {
        const uint64_t chosen = choose(calls_of_choice + 1); // the number of the call; 0: none
        if (chosen == 0) {
            quiet_calls = calls_of_choice - 1;
            return false;
        }
        quiet_after_yield = calls_of_choice - chosen;
        if (chosen > 1) {
            quiet_calls = chosen - 2;
            yields_next = true;
            return false;
        }
    }
    yields_next = false;
    quiet_calls = quiet_after_yield;
    return true;
}

[[gnu::noinline]] void yield_after_quiet_calls() MAY_SUSPEND;

void yield_after_quiet_calls() {
    Task *self = current_task_or_null;
    if (self && self->kind == TaskKind::Fiber && chooses_to_yield() &&
        self->state.load(std::memory_order_relaxed) == TaskState::Running &&
        self->worker->has_work())
        yield();
}

} // namespace

void yield_by_choice() {
    if (quiet_calls > 0)
        --quiet_calls;
    else
        yield_after_quiet_calls();
}

} // namespace thrum
