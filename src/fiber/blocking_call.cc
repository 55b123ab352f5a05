#include "fiber/blocking_call.h"

#include "fiber/activity.h"
#include "fiber/scheduler.h"

#include <cerrno>

namespace thrum {
namespace {

// The innermost one that the caller is in. A fiber has thread-local storage of its own. (Not so in
// sanitizer builds, where only tests run fibers, and nobody leaves a call by longjmp().)
constinit thread_local BlockingCall *innermost = nullptr;

// The calling fiber goes on on the thread of `target`.
void move_to(Worker &target) MAY_SUSPEND {
    Task &self = current_task();
    Worker &here = *self.worker;
    change_state(self, TaskState::Running, TaskState::Runnable);
    target.is_spare() ? target.push_to_spare(self) : target.push(self);
    here.leave(self);
}

// A function of its own, because compilers keep the address of errno, and in sanitizer builds a
// fiber that comes back finds itself on another thread's.
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
        // From a spare worker, if it stands in for one that is stuck, back to that one.
        Worker &home = self.worker->is_spare() ? self.worker->home() : *self.worker;
        if (Worker *spare = scheduler().take_spare_worker(home)) {
            home_ = &home;
            move_to(*spare);
        }
    }
    outer_ = innermost;
    innermost = this;
    self.blocking_call.store(name, std::memory_order_relaxed);
    // Before it is not active any more: in between nobody may find the process quiescent.
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
    // release [inside-1]: a thread that does not count this task any more finds it active.
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
