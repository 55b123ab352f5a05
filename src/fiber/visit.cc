#include "fiber/visit.h"

#include "base/check.h"
#include "base/gs_base.h"
#include "fiber/thread_block.h"
#include "fiber/worker.h"

#include <sys/syscall.h>
#include <unistd.h>

namespace thrum {
namespace {

struct Visit {
    void (*function)(void *);
    void *argument;
    void *visitor_stack_pointer;
    void *visitor_thread_pointer;
};

// Runs on the visited fiber's stack. Switches back to the visitor; this context is never resumed.
void run_visit(void *argument) {
    auto &visit = *static_cast<Visit *>(argument);
    visit.function(visit.argument);
    void *left_behind = nullptr;
    workers().switch_context(&left_behind, visit.visitor_stack_pointer,
                             visit.visitor_thread_pointer);
    CHECK(false, "a finished visit was resumed");
}

} // namespace

bool visit_waiting_fiber(Task &task, void (*function)(void *), void *argument) {
    if (task.kind != TaskKind::Fiber ||
        task.state.load(std::memory_order_relaxed) != TaskState::Waiting)
        return false;
    bool free = false;
    // seq_cst [visit-1]: against a worker that takes the task from its queue, or as its next one.
    // Its waker has made it runnable before it put it there. The queue's lock and the next task are
    // taken by locked instructions, which x86 orders with this one. So either we see that the task
    // is runnable and leave it, or the worker sees on_worker. acquire [switch-1]: the saved context
    // is complete.
    if (!task.on_worker.compare_exchange_strong(free, true, std::memory_order_seq_cst))
        return false;
    bool waits = task.state.load(std::memory_order_seq_cst) == TaskState::Waiting; // [visit-1]
    if (waits) {
        Visit visit = {function, argument, nullptr, current_thread_pointer()};
        void *context = make_context(task.stack_pointer, &run_visit, &visit);
        set_gs_base(task.gs_base); // the visitor itself needs none
        workers().switch_context(&visit.visitor_stack_pointer, context, task.thread_pointer);
    }
    task.on_worker.store(false, std::memory_order_release); // [switch-1]
    return waits;
}

void interrupt_thread_of(const Task &task, int signal) {
    pid_t thread = task.kind == TaskKind::Fiber ? task.worker ? task.worker->os_thread_id() : 0
                                                : task.os_thread_id.load(std::memory_order_relaxed);
    if (thread > 0)
        ::syscall(SYS_tgkill, ::getpid(), thread, signal);
}

} // namespace thrum
