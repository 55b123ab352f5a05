#include "fiber/blocking_call.h"

#include "fiber/activity.h"
#include "fiber/choice.h"
#include "fiber/scheduler.h"
#include "fiber/watch.h"

#include <cerrno>

namespace thrum {
namespace {

// The innermost blocking call of the caller. A fiber has its own thread-local storage. (In
// sanitizer builds it has not; there only tests run fibers, and none leaves a call by longjmp().)
constinit thread_local BlockingCall *innermost = nullptr;

// Moves the calling fiber to the thread of `target`, where it continues.
void move_to(Worker &target) MAY_SUSPEND {
    Task &self = current_task();
    Worker &here = *self.worker;
    change_state(self, TaskState::Running, TaskState::Runnable);
    target.is_spare() ? target.push_to_spare(self) : target.push(self);
    here.leave(self);
}

// A function of its own: compilers keep the address of errno, but in sanitizer builds a fiber that
// returns may have moved to another thread, with another errno.
[[gnu::noinline]] void set_errno(int error) {
    errno = error;
}

} // namespace

int tasks_in_blocking_calls() {
    return activity().blocking_calls.load(std::memory_order_acquire); // acquire [inside-1]
}

void BlockingCall::enter(const char *name) {
    if (entered_ || !current_task_or_null)
        return;
    refuse_held_locks();
    entered_ = true;
    int error = errno;
    Task &self = current_task();
    if (self.kind == TaskKind::Fiber) {
        // A fiber on a spare worker that relieves a stuck one returns to the stuck one afterwards.
        Worker &home = self.worker->is_spare() ? self.worker->home() : *self.worker;
        // With a seed the others wait for the call, or else its time would decide their order. The
        // watch lets them run if it takes long.
        const bool stays = has_seed() && !seed_is_over();
        if (Worker *spare = stays ? nullptr : scheduler().take_spare_worker(home)) {
            home_ = &home;
            move_to(*spare);
        }
    }
    outer_ = innermost;
    innermost = this;
    self.blocking_call.store(name, std::memory_order_relaxed);
    // Counted before it ceases to be active: otherwise the process could be found quiescent in
    // between.
    activity().blocking_calls.fetch_add(1, std::memory_order_relaxed);
    activity().drop_active();
    set_errno(error);
}

void BlockingCall::go_back() {
    int error = errno;
    entered_ = false;
    Task &self = current_task();
    innermost = outer_;
    activity().add_active();
    // release [inside-1]: a thread that no longer counts this task here finds it active.
    activity().blocking_calls.fetch_sub(1, std::memory_order_release);
    self.blocking_call.store(nullptr, std::memory_order_relaxed);
    if (home_)
        move_to(*home_);
    set_errno(error);
}

void abandon_blocking_calls() {
    while (BlockingCall *call = innermost)
        call->leave();
}

} // namespace thrum
