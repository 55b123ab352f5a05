#include "fiber/task.h"

#include "base/check.h"
#include "base/futex.h"
#include "base/settings.h"
#include "fiber/activity.h"
#include "fiber/choice.h"
#include "fiber/external_waits.h"
#include "fiber/os_threads.h"
#include "fiber/task_tray.h"
#include "fiber/threads_of_ranks.h"
#include "fiber/usable_cores.h"
#include "fiber/worker.h"
#include "trace/setting_variables.h"

#include <sched.h>
#include <unistd.h>
#include <vector>

namespace thrum {

constinit std::atomic<ExternalWaits *> current_external_waits = nullptr;

namespace {

AdoptFunction *adopt_function = nullptr;
std::atomic<AfterSuspension *> after_suspension{nullptr};
std::atomic<BeforeSuspension *> before_suspension{nullptr};
std::atomic<OpenTrayFunction *> open_tray{nullptr};
std::atomic<int> os_threads{0};
std::atomic<int> starting_threads{0};           // announced, but perhaps not yet listed
ExternalWaits *latest_external_waits = nullptr; // also after its removal

SETTING_VARIABLE(
    spin_limit,
    [] { return static_cast<int64_t>(settings().spin_limit.load(std::memory_order_relaxed)); },
    [](int64_t value) {
        if (value < 0)
            return false;
        settings().spin_limit.store(static_cast<unsigned>(value), std::memory_order_relaxed);
        return true;
    });

// Values of Task::runnable_word.
constexpr uint32_t not_runnable = 0, runnable = 1, asleep_in_futex = 2, listening = 3;

bool is_runnable(const Task &self) {
    // acquire [thread-1]: what the waker did is visible.
    return self.runnable_word.load(std::memory_order_acquire) == runnable;
}

// Announces in the word how the waker is to wake this thread. Returns false if the task is runnable
// already.
bool announce(Task &self, uint32_t how) {
    uint32_t expected = not_runnable;
    // seq_cst [successor-1]: before a look whether a thread listens. Apart from that only the word
    // is published; [thread-1] is acquired when it is seen to be runnable.
    return self.runnable_word.compare_exchange_strong(expected, how, std::memory_order_seq_cst,
                                                      std::memory_order_relaxed);
}

// Undoes announce(). Returns false if the task has been made runnable, or had announced something
// else.
bool withdraw(Task &self, uint32_t how) {
    // seq_cst [successor-1], also if it fails: after a listener has ended its listening.
    return self.runnable_word.compare_exchange_strong(how, not_runnable, std::memory_order_seq_cst,
                                                      std::memory_order_seq_cst);
}

// Sleeps until the waker wakes the thread. Returns at once if no thread listens to `waits`: the
// last listener may not have seen that this thread waits.
void sleep_in_futex(Task &self, ExternalWaits *waits = nullptr) {
    if (!announce(self, asleep_in_futex))
        return;
    if (!waits || waits->somebody_listens()) {
        self.asleep.store(true, std::memory_order_relaxed);
        futex_wait(self.runnable_word, asleep_in_futex);
        self.asleep.store(false, std::memory_order_relaxed);
    }
    withdraw(self, asleep_in_futex);
}

// The threads that wait while another one listens. One of them becomes the listener when that one
// continues.
//
// Invariant: while one of them sleeps, there is a listener, or a thread that is about to listen, or
// one that is about to call wake_one(). So every thread that continues looks here, not only the
// listener: it may just have been woken in order to listen.
class Successors {
public:
    void add(Task &task) {
        LockGuard guard(lock_);
        tasks_.push_back(&task);
        count_.store(tasks_.size(), std::memory_order_relaxed);
    }

    void remove(Task &task) {
        LockGuard guard(lock_);
        std::erase(tasks_, &task);
        count_.store(tasks_.size(), std::memory_order_relaxed);
    }

    // relaxed: a task that is added later sees by itself that no thread listens.
    bool are_there() const { return count_.load(std::memory_order_relaxed) > 0; }

    // Wakes one task that sleeps. Skips tasks that are runnable but have not yet left, and those
    // that have yet to check whether a thread listens.
    void wake_one() {
        LockGuard guard(lock_);
        for (size_t i = tasks_.size(); i-- > 0;) {
            Task &task = *tasks_[i];
            if (!withdraw(task, asleep_in_futex))
                continue;
            futex_wake(task.runnable_word);
            return;
        }
    }

private:
    SpinLock lock_;
    std::vector<Task *> tasks_; // guarded by lock_
    // Length of tasks_; written under lock_, read by threads that continue.
    std::atomic<size_t> count_{0};
};

Successors &successors() {
    static auto *the_successors = new Successors; // threads may outlive static destructors
    return *the_successors;
}

// Waits for the waker and, in one thread of the process at a time, for other processes. May return
// before the task is runnable.
void wait_with_external(Task &self, ExternalWaits &o) {
    unsigned limit = settings().spin_limit.load(std::memory_order_relaxed);
    for (unsigned spins = 0; !is_runnable(self); spins += o.spins_of_look()) {
        if (o.look())
            spins = 0;
        else if (spins >= limit || !o.worth_spinning() || !o.yield_core())
            break;
        else
            cpu_pause();
    }
    if (is_runnable(self))
        return;
    if (!o.begin_listening()) {
        successors().add(self);
        sleep_in_futex(self, &o);
        successors().remove(self);
        return;
    }
    if (announce(self, listening)) {
        self.asleep.store(true, std::memory_order_relaxed);
        o.listen(-1);
        self.asleep.store(false, std::memory_order_relaxed);
        withdraw(self, listening);
    }
    o.end_listening();
    o.look();
}

[[gnu::noinline]] void suspend_thread(Task &self) {
    activity().drop_active(); // if it is runnable already, the waker has counted it as active
    while (!is_runnable(self)) {
        if (ExternalWaits *o = external_waits()) [[unlikely]]
            wait_with_external(self, *o);
        else
            sleep_in_futex(self);
    }
    if (ExternalWaits *o = external_waits(); o && !o->somebody_listens()) [[unlikely]]
        wake_successor();
    self.runnable_word.store(not_runnable, std::memory_order_relaxed);
    change_state(self, TaskState::Runnable, TaskState::Running);
    // acquire [after-suspension-1]: what the function relies on.
    if (AfterSuspension *function = after_suspension.load(std::memory_order_acquire))
        function(self);
}

// Makes an OS-thread task runnable. Either the exchange shows how the thread sleeps, or the
// thread's announce() fails and it does not sleep.
[[gnu::noinline]] void wake_thread(Task &task) {
    activity().add_active();
    // release [thread-1]
    uint32_t before = task.runnable_word.exchange(runnable, std::memory_order_release);
    if (before == asleep_in_futex)
        futex_wake(task.runnable_word);
    else if (before == listening)
        wake_listener();
}

} // namespace

void set_external_waits(ExternalWaits *waits) {
    if (waits)
        latest_external_waits = waits;
    // release [external-waits-1]: the members of *waits.
    current_external_waits.store(waits, std::memory_order_release);
    if (waits) // a thread that already sleeps must become the listener
        workers().wake_all_sleepers();
    else
        wake_listener();
}

void wake_listener() {
    latest_external_waits->wake_listener();
}

void wake_successor() {
    if (successors().are_there())
        successors().wake_one();
}

bool listen_for_tasks() {
    ExternalWaits *o = external_waits();
    if (!o || !o->begin_listening())
        return false;
    o->listen(-1);
    o->end_listening();
    while (o->look()) {
    }
    wake_successor();
    workers().wake_all_sleepers();
    return true;
}

void set_after_suspension(AfterSuspension *function) {
    after_suspension.store(function, std::memory_order_release); // release [after-suspension-1]
}

void set_adopt_function(AdoptFunction *function) {
    adopt_function = function;
}

std::atomic<bool> detail::ranks_have_threads{false};

Task &adopt_current_thread() {
    note_threads_of_ranks();
    Task *task = adopt_function ? adopt_function() : new Task;
    enter_os_thread(*task);
    return *task;
}

void enter_os_thread(Task &task) {
    task.kind = TaskKind::OsThread;
    task.worker = nullptr;
    change_state(task, TaskState::Created, TaskState::Running);
    current_task_or_null = &task;
    task.os_thread_id.store(::gettid(), std::memory_order_relaxed);
    activity().add_active();
    // release [os-threads-1]: a reader that counts this thread also sees that it is active.
    os_threads.fetch_add(1, std::memory_order_release);
    list_os_thread(task);
}

void leave_os_thread(Task &task) {
    unlist_os_thread(task);
    change_state(task, TaskState::Running, TaskState::Done);
    current_task_or_null = nullptr;
    os_threads.fetch_sub(1, std::memory_order_relaxed);
    activity().drop_active();
}

int os_thread_tasks() {
    // acquire [os-threads-1]: a thread that is counted is active.
    return os_threads.load(std::memory_order_acquire);
}

int starting_os_threads() {
    return starting_threads.load(std::memory_order_relaxed);
}

void announce_os_thread() {
    starting_threads.fetch_add(1, std::memory_order_relaxed);
    activity().add_active();
}

void withdraw_os_thread() {
    starting_threads.fetch_sub(1, std::memory_order_relaxed);
    activity().drop_active();
}

void suspend() {
    suspend(current_task());
}

// If the waker was faster, the task is already Runnable and in a queue. What closing the tray
// completes may be such a waker.
void suspend(Task &self) {
    refuse_held_locks();
    if (self.kind == TaskKind::Fiber) {
        // relaxed: the task's own.
        if (TaskTray *tray = self.tray.load(std::memory_order_relaxed)) [[unlikely]]
            tray->close();
        self.worker->leave(self);
    } else {
        // acquire [tray-4]: what the function relies on.
        if (BeforeSuspension *function = before_suspension.load(std::memory_order_acquire))
            function(self);
        suspend_thread(self);
    }
}

void make_runnable(Task &task) {
    change_state(task, TaskState::Waiting, TaskState::Runnable);
    if (task.kind == TaskKind::Fiber)
        Worker::worker_for(task).push(task);
    else
        wake_thread(task);
}

void make_all_runnable(TaskList &list) {
    while (Task *first = list.first) {
        // A chain of neighbours that belong to one worker is queued in one step.
        Task *last = first;
        size_t count = 0;
        Worker *worker = first->kind == TaskKind::Fiber ? first->worker : nullptr;
        if (!worker) {
            make_runnable(*list.pop());
            continue;
        }
        for (Task *task = first; task && task->kind == TaskKind::Fiber && task->worker == worker;
             task = task->next) {
            change_state(*task, TaskState::Waiting, TaskState::Runnable);
            last = task;
            ++count;
        }
        list.first = last->next;
        if (!list.first)
            list.last = nullptr;
        list.count -= count;
        worker->push_chain(*first, *last, count);
    }
}

void yield() {
    refuse_held_locks();
    Task &self = current_task();
    ExternalWaits *o = external_waits();
    if (o && o->look()) [[unlikely]]
        return;
    if (self.kind == TaskKind::OsThread) {
        ::sched_yield();
        return;
    }
    Worker &worker = *self.worker;
    if (!worker.has_work()) {
        // Alone on this worker. Yields to other threads of the machine only now and then.
        constexpr unsigned yields_between_system_calls = 64;
        thread_local unsigned yields = 0;
        if (++yields % yields_between_system_calls == 0)
            ::sched_yield();
        else
            cpu_pause();
        return;
    }
    change_state(self, TaskState::Running, TaskState::Runnable);
    worker.push(self);
    worker.leave(self);
}

void set_open_tray_function(OpenTrayFunction *function) {
    open_tray.store(function, std::memory_order_release); // release [tray-4]
}

void set_before_suspension(BeforeSuspension *function) {
    before_suspension.store(function, std::memory_order_release); // release [tray-4]
}

// Looks into the tray. Returns how often in a row that was in vain, during this wait.
static unsigned look_into(TaskTray &tray, Task &self, unsigned spins) {
    if (tray.look() || spins == 0)
        self.vain_looks = 0;
    else
        ++self.vain_looks;
    return self.vain_looks;
}

// Counts a wait for another core; asks for a tray after so many.
static void count_core_wait(Task &self) {
    if (++self.core_waits != settings().tray_after)
        return;
    self.core_waits = 0;
    if (OpenTrayFunction *function = open_tray.load(std::memory_order_acquire)) // [tray-4]
        function(self);
}

bool give_way_to_processes(const Completion &until) {
    ExternalWaits *o = external_waits();
    // With a seed the time that another process takes must not matter.
    return o && !has_seed() && current_task().kind == TaskKind::OsThread && o->give_way(until);
}

bool should_spin_beside_others(unsigned spins) {
    if (has_seed()) // the time that another core takes must not matter
        return false;
    Task &self = current_task();
    TaskTray *tray = self.tray.load(std::memory_order_relaxed);
    ExternalWaits *o = external_waits();
    // With other processes each spin includes a look, which may take as long as many spins.
    if (o) [[unlikely]]
        spins *= o->spins_of_look();
    if (tray)
        spins = look_into(*tray, self, spins);
    if (spins >= settings().spin_limit.load(std::memory_order_relaxed))
        return false;
    if (o) [[unlikely]] {
        if (spins > 0 && !o->yield_core())
            return false;
        o->look();
        return (self.kind == TaskKind::OsThread || !self.worker->has_work()) && o->worth_spinning();
    }
    if (self.kind == TaskKind::OsThread)
        return activity().active() <= usable_cores();
    if (self.worker->has_work())
        return false;
    if (spins == 0 && !tray)
        count_core_wait(self);
    return true;
}

} // namespace thrum
