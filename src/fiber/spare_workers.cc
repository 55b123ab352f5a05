// Spare workers: threads to which fibers move while a call of theirs blocks
// (fiber/blocking_call.h), and which take the queue of a stuck worker (fiber/watch.h). No worker
// steals from them.
//
//   free list --take_spare_worker--> push_to_spare or relieve --> runs fibers --> free list
//
// A fiber rarely suspends on a spare worker: only if it was taken from a stuck worker, or has left
// a blocking call by siglongjmp(). It is then woken through the spare worker (Task::worker). It is
// queued at its home worker, unless the spare worker still relieves that one.
#include "base/check.h"
#include "base/futex.h"
#include "fiber/activity.h"
#include "fiber/scheduler.h"

#include <cstring>
#include <sched.h>

namespace thrum {

// Runs on the thread of a spare worker, which has been taken from the free list before the thread
// starts.
void Worker::spare_loop() {
    while (!activity().stopping()) {
        if (Task *task = pop(nullptr)) {
            lock_.lock();
            has_run_ = true;
            lock_.unlock();
            run(*task);
            continue;
        }
        uint32_t word = wake_word_.load(std::memory_order_acquire); // acquire [sleep-1]
        lock_.lock();
        bool empty = head_ == nullptr;
        asleep_.store(empty, std::memory_order_relaxed);
        bool is_free = empty && has_run_ && !relieved_;
        if (is_free)
            has_run_ = false;
        lock_.unlock();
        if (!empty) {
            ::sched_yield(); // the fiber has not left its worker yet
            continue;
        }
        if (is_free)
            scheduler().return_spare_worker(*this);
        activity().drop_active();
        if (!activity().stopping())
            futex_wait(wake_word_, word);
        lock_.lock();
        bool woken = !asleep_.load(std::memory_order_relaxed); // the waker has counted us as active
        asleep_.store(false, std::memory_order_relaxed);
        lock_.unlock();
        if (!woken)
            activity().add_active();
    }
}

// Under the lock: fibers that waited on this spare worker earlier may read their home at any time.
void Worker::come_from(Worker &home) {
    LockGuard guard(lock_);
    home_ = &home;
}

// Queues fibers that were made runnable and have run last on this spare worker.
void Worker::push_to_home(Task &first, Task &last, size_t count) {
    lock_.lock();
    if (!relieved_) {
        Worker &home = *home_;
        lock_.unlock();
        home.push_chain(first, last, count);
        return;
    }
    bool wake = link(first, last, count);
    lock_.unlock();
    if (wake)
        wake_up();
}

// Takes the whole queue of `stuck`, and keeps the fibers that return to it until stop_relieving().
void Worker::relieve(Worker &stuck) {
    stuck.lock_.lock();
    Task *first = stuck.head_;
    Task *last = stuck.tail_;
    size_t count = stuck.length_.load(std::memory_order_relaxed);
    if (Task *next = stuck.take_next()) { // before the queue
        next->next = first;
        first = next;
        last = last ? last : next;
        ++count;
    }
    stuck.head_ = stuck.tail_ = nullptr;
    stuck.length_.store(0, std::memory_order_relaxed);
    stuck.lock_.unlock();
    lock_.lock();
    relieved_ = true;
    // Also if other workers have emptied the queue: it must return to the free list afterwards.
    has_run_ = true;
    bool wake = first && link(*first, *last, count);
    lock_.unlock();
    if (wake)
        wake_up();
}

// Ends relieve(): the stuck worker continues, and gets the fibers that wait here. The fiber that
// runs here continues.
void Worker::stop_relieving() {
    lock_.lock();
    Task *first = head_;
    Task *last = tail_;
    size_t count = length_.load(std::memory_order_relaxed);
    head_ = tail_ = nullptr;
    length_.store(0, std::memory_order_relaxed);
    relieved_ = false;
    Worker &home = *home_;
    bool is_free = asleep_.load(std::memory_order_relaxed) && has_run_;
    if (is_free)
        has_run_ = false;
    lock_.unlock();
    if (first)
        home.push_chain(*first, *last, count);
    if (is_free)
        scheduler().return_spare_worker(*this);
}

Worker *Scheduler::take_spare_worker(Worker &home) {
    {
        LockGuard guard(spare_lock_);
        if (Worker *spare = first_spare_) {
            first_spare_ = spare->next_spare_;
            spare->come_from(home);
            return spare;
        }
    }
    auto spare = std::make_unique<Worker>(-1);
    spare->come_from(home);
    activity().add_active(); // the new thread, until it finds no work
    int error = start_thread_of(*spare, true);
    if (error) {
        // This may make the count 0: the watch, which may be the caller, does not count as active.
        activity().drop_active();
        static std::atomic<bool> told{false};
        if (!told.exchange(true, std::memory_order_relaxed))
            report("cannot start a thread for a blocking call (%s): the other ranks of its worker "
                   "have to wait. Raise ulimit -u, or vm.max_map_count",
                   std::strerror(error));
        return nullptr;
    }
    LockGuard guard(spare_lock_);
    spares_.push_back(std::move(spare));
    return spares_.back().get();
}

void Scheduler::return_spare_worker(Worker &spare) {
    LockGuard guard(spare_lock_);
    spare.next_spare_ = first_spare_;
    first_spare_ = &spare;
}

} // namespace thrum
