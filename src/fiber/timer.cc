#include "fiber/timer.h"

#include "base/check.h"
#include "base/clock.h"
#include "base/detached_thread.h"
#include "base/futex.h"
#include "base/spinlock.h"
#include "fiber/activity.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <vector>

namespace thrum {
namespace {

struct Timer {
    int64_t deadline_ns;
    Task *task;

    // std::push_heap keeps the largest in front, so the earliest deadline counts as the largest.
    bool operator<(const Timer &other) const { return deadline_ns > other.deadline_ns; }
};

class TimerThread {
public:
    void add(Timer timer) {
        activity().pending_timers.fetch_add(1, std::memory_order_relaxed);
        lock_.lock();
        heap_.push_back(timer);
        std::push_heap(heap_.begin(), heap_.end());
        bool earliest = heap_.front().task == timer.task;
        bool start = !started_;
        started_ = true;
        lock_.unlock();
        if (start)
            start_thread();
        else if (earliest)
            nudge();
    }

    bool cancel(const Task &task) {
        LockGuard guard(lock_);
        auto at = std::find_if(heap_.begin(), heap_.end(),
                               [&task](const Timer &timer) { return timer.task == &task; });
        if (at == heap_.end())
            return false;
        *at = heap_.back();
        heap_.pop_back();
        std::make_heap(heap_.begin(), heap_.end());
        return true;
    }

private:
    void nudge() {
        changes_.fetch_add(1, std::memory_order_release); // release [timer-1]
        futex_wake(changes_);
    }

    void start_thread() {
        if (const int error = start_detached_thread(run, this))
            die(1, "cannot start the timer thread: %s; raise ulimit -u", std::strerror(error));
    }

    static void *run(void *self) {
        for (;;)
            static_cast<TimerThread *>(self)->fire_and_sleep();
        return nullptr;
    }

    // Makes due tasks runnable, or sleeps until the next deadline or change.
    void fire_and_sleep() {
        uint32_t changes = changes_.load(std::memory_order_acquire); // acquire [timer-1]
        int64_t sleep_ns = -1;
        TaskList due;
        lock_.lock();
        int64_t now = now_ns();
        while (!heap_.empty() && heap_.front().deadline_ns <= now) {
            due.push(*heap_.front().task);
            std::pop_heap(heap_.begin(), heap_.end());
            heap_.pop_back();
        }
        if (!heap_.empty())
            sleep_ns = heap_.front().deadline_ns - now;
        lock_.unlock();
        int fired = static_cast<int>(due.count);
        if (fired) {
            // A task that runs and waits again meanwhile still sees pending timers, and does not
            // report quiescence. The last drop_active() below does.
            activity().add_active();
            make_all_runnable(due);
            // release [timer-2]: the pushes into workers' queues are over.
            activity().pending_timers.fetch_sub(fired, std::memory_order_release);
            activity().drop_active();
            return;
        }
        futex_wait(changes_, changes, sleep_ns);
    }

    SpinLock lock_; // guards heap_ and started_
    std::vector<Timer> heap_;
    bool started_ = false;
    std::atomic<uint32_t> changes_{0};
};

std::atomic<int> events{0}; // counted by add_pending_timers()

TimerThread &timers() {
    static auto *thread = new TimerThread; // never destroyed: its thread runs to the end
    return *thread;
}

} // namespace

void set_timer(Task &task, int64_t deadline_ns) {
    timers().add({deadline_ns, &task});
}

bool cancel_timer(Task &task) {
    if (!timers().cancel(task))
        return false;
    activity().pending_timers.fetch_sub(1, std::memory_order_release); // [timer-2]
    return true;
}

void add_pending_timers(int count) {
    events.fetch_add(count, std::memory_order_relaxed);
    activity().pending_timers.fetch_add(count, std::memory_order_release); // [timer-2]
}

int pending_events() {
    return events.load(std::memory_order_relaxed);
}

void wait_until(int64_t deadline_ns) {
    refuse_held_locks();
    Task &self = current_task();
    // The thread stays active, so the process is not quiescent during the sleep.
    if (self.kind == TaskKind::OsThread) {
        timespec deadline{static_cast<time_t>(deadline_ns / 1'000'000'000),
                          static_cast<long>(deadline_ns % 1'000'000'000)};
        while (::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &deadline, nullptr) == EINTR) {
        }
        return;
    }
    if (deadline_ns <= now_ns()) {
        yield();
        return;
    }
    prepare_to_suspend(self);
    set_timer(self, deadline_ns);
    suspend();
}

} // namespace thrum
