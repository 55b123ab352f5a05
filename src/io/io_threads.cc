// The I/O threads: one list of jobs, and threads that take from its front. A thread that finds no
// job sleeps on a futex word, which changes with each new job.
//
// No wake-up is lost: a thread reads the word, then looks at the list under the lock, and sleeps
// only while the word is unchanged. submit() adds the job before it changes the word.
#include "io/io_threads.h"

#include "base/check.h"
#include "base/futex.h"
#include "base/own_threads.h"
#include "base/spinlock.h"
#include "fiber/library_threads.h"
#include "fiber/task.h"

#include <csignal>
#include <cstring>
#include <pthread.h>

namespace thrum {
namespace {

// More threads do not make one file system faster, but jobs of one file must not hold up those of
// another. Jobs that may sleep do not count.
constexpr int threads_max = 4;

// The threads and their jobs. One object per process.
class IoThreads {
public:
    // Starts a thread if there are more waiting jobs than idle threads. If the thread cannot be
    // created, the running ones do the job.
    void submit(IoJob &job, bool may_sleep) {
        announce_os_thread(); // withdrawn when the job is done: no deadlock is seen meanwhile
        bool start = false;
        {
            LockGuard guard(lock_);
            job.next = nullptr;
            (last_ ? last_->next : first_) = &job;
            last_ = &job;
            ++waiting_;
            sleepers_to_be_ += may_sleep;
            start = idle_ < waiting_ && threads_ < threads_max + sleepers_to_be_;
            threads_ += start;
        }
        if (start && start_thread())
            return;
        word_.fetch_add(1, std::memory_order_release); // release [io-1]: there is something to do
        futex_wake(word_);
    }

    // Called when a job that might sleep has ended: one thread fewer is needed.
    void done_sleeping() {
        LockGuard guard(lock_);
        --sleepers_to_be_;
    }

private:
    // Creates a thread with all signals blocked: signals belong to ranks, which run elsewhere.
    // Fails for good only if there is no thread at all.
    bool start_thread() {
        sigset_t all, old;
        ::sigfillset(&all);
        ::pthread_sigmask(SIG_SETMASK, &all, &old); // signals are for ranks
        pthread_t thread;
        int error = create_own_thread(&thread, nullptr, &run_thread, this);
        ::pthread_sigmask(SIG_SETMASK, &old, nullptr);
        if (error == 0) {
            ::pthread_detach(thread);
            return true;
        }
        LockGuard guard(lock_);
        --threads_;
        CHECK(threads_ > 0, "cannot start a thread for non-blocking file operations: %s",
              std::strerror(error));
        return false;
    }

    static void *run_thread(void *self) MAY_SUSPEND {
        add_library_thread();
        for (;;)
            static_cast<IoThreads *>(self)->work_and_sleep();
        return nullptr;
    }

    IoJob *take() {
        LockGuard guard(lock_);
        IoJob *job = first_;
        if (job) {
            first_ = job->next;
            if (!first_)
                last_ = nullptr;
            --waiting_;
        }
        return job;
    }

    // Does jobs until the list is empty, then sleeps until the word changes.
    void work_and_sleep() MAY_SUSPEND {
        while (IoJob *job = take()) {
            job->run();
            withdraw_os_thread(); // may report a deadlock
        }
        uint32_t word = word_.load(std::memory_order_acquire); // acquire [io-1]
        {
            LockGuard guard(lock_);
            if (first_)
                return;
            ++idle_;
        }
        futex_wait(word_, word);
        LockGuard guard(lock_);
        --idle_;
    }

    SpinLock lock_; // guards what follows up to `threads_`
    IoJob *first_ = nullptr;
    IoJob *last_ = nullptr;
    int waiting_ = 0;        // jobs in the list
    int sleepers_to_be_ = 0; // jobs, queued or running, that may sleep: each may occupy a thread
    int idle_ = 0;           // threads that sleep, or are about to
    int threads_ = 0;        // threads that exist; they never end
    std::atomic<uint32_t> word_{0}; // changes when a job is added
};

IoThreads &io_threads() {
    static auto *threads = new IoThreads; // never destroyed: its threads run to the end
    return *threads;
}

// Wraps a job that may sleep, to count it until it is done.
struct SleepingJob final : IoJob {
    explicit SleepingJob(IoJob &wrapped) : job(wrapped) {}

    void run() override MAY_SUSPEND {
        job.run();
        io_threads().done_sleeping();
        delete this;
    }

    IoJob &job;
};

} // namespace

void submit(IoJob &job, bool may_sleep) {
    if (may_sleep)
        io_threads().submit(*new SleepingJob(job), true);
    else
        io_threads().submit(job, false);
}

} // namespace thrum
