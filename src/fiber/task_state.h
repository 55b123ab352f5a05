// Task: it can wait, and be made runnable. A task is a fiber or an OS thread: a rank with
// --threads=os, the only rank of a singleton, or a thread that a rank has made. The state changes
// only through change_state(), which asserts the old one.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace thrum {

class Worker;
class TaskTray; // fiber/task_tray.h

enum class TaskState : uint8_t { Created, Runnable, Running, Waiting, Done };
enum class TaskKind : uint8_t { Fiber, OsThread };

struct Task {
    // Link of a run queue or of a wait list; belongs to the holder of the task.
    Task *next = nullptr;
    TaskKind kind = TaskKind::OsThread;
    // Written by the task itself (Running -> Waiting, before it publishes itself) and by its waker
    // (Waiting -> Runnable). The publication orders the two, so no write needs to be a
    // read-modify-write. Atomic, because reports read it at any time.
    std::atomic<TaskState> state{TaskState::Created};

    // For fibers. Written by the worker that runs or ran it.
    std::atomic<bool> on_worker{false}; // a worker is on this fiber's stack
    Worker *worker = nullptr;           // where it runs, or ran last
    // How often in a row a task of another worker, always of this one, has made it runnable
    // (Worker::worker_for()). Written by those that do.
    Worker *waker = nullptr;
    unsigned far_wakes = 0;
    // Its open tray; nullptr: none. Written by the task itself, and by who closes it.
    std::atomic<TaskTray *> tray{nullptr};
    // How often it has waited for another core since it last asked for a tray.
    int core_waits = 0;
    unsigned vain_looks = 0;        // into the tray, since something was there or the wait began
    void *stack_pointer = nullptr;  // saved context; valid while !on_worker and not Running
    void *thread_pointer = nullptr; // FS base: its thread control block
    uintptr_t gs_base = 0;          // for programs compiled with --privatize (base/gs_base.h)
    char *stack_low = nullptr;      // its stack: [stack_low, stack_high)
    char *stack_high = nullptr;
    void *sanitizer_fiber = nullptr; // the tool's state of this fiber

    // The blocking function of the C library that the task has called (fiber/blocking_call.h); for
    // reports.
    std::atomic<const char *> blocking_call{nullptr};

    // For OS threads. 1 when made runnable; the futex on which the thread sleeps.
    std::atomic<uint32_t> runnable_word{0};
    std::atomic<bool> asleep{false};  // in that futex, or as listener: it holds no lock
    std::atomic<int> os_thread_id{0}; // gettid(); set at its enter_os_thread()
};

const char *state_name(TaskState state);

// Ends the process. A task that waits and is not Running was interrupted by a signal handler, which
// calls MPI.
[[noreturn, gnu::cold]] void wrong_state(TaskState state, TaskState expected);

// Changes a task's state, which must be `from`. No other function does so. At this moment no other
// thread may change it.
inline void change_state(Task &task, TaskState from, TaskState to,
                         std::memory_order order = std::memory_order_relaxed) {
    TaskState old = task.state.load(std::memory_order_relaxed);
    if (old != from) [[unlikely]]
        wrong_state(old, from);
    task.state.store(to, order);
}

// The calling task; nullptr if the thread is not a task. Constant for a fiber or thread, because
// each has its own TLS block.
extern constinit thread_local Task *current_task_or_null;

// A wait list: tasks linked by Task::next, in order of arrival.
struct TaskList {
    Task *first = nullptr;
    Task *last = nullptr;
    size_t count = 0;

    bool empty() const { return first == nullptr; }

    void push(Task &task) {
        task.next = nullptr;
        (last ? last->next : first) = &task;
        last = &task;
        ++count;
    }

    Task *pop() {
        Task *task = first;
        if (task) {
            first = task->next;
            if (!first)
                last = nullptr;
            --count;
        }
        return task;
    }

    // Appends the tasks of `others` and empties it.
    void take_all(TaskList &others) {
        if (others.empty())
            return;
        (last ? last->next : first) = others.first;
        last = others.last;
        count += others.count;
        others = TaskList{};
    }
};

} // namespace thrum
