#include "run/run_watch.h"

#include "base/check.h"
#include "base/clock.h"
#include "base/own_threads.h"
#include "fiber/activity.h"
#include "fiber/library_threads.h"
#include "inspect/deadlock.h"
#include "inspect/deadlock_watch.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstring>
#include <mutex>
#include <optional>
#include <pthread.h>

namespace thrum {
namespace {

// Counts the calling thread, which is no task, as active while it may wake ranks: a worker that it
// wakes could otherwise run, and find the process quiescent, before it is counted itself. At the
// end the thread may have to report that the process is quiescent, so it must not hold the mutex.
class ActiveHere {
public:
    ActiveHere() { activity().add_active(); }

    ~ActiveHere() { activity().drop_active(); }

    ActiveHere(const ActiveHere &) = delete;
    ActiveHere &operator=(const ActiveHere &) = delete;
};

class RunWatch {
public:
    void add(Run &run);
    void remove(Run &run);
    void call();
    void call_locked();
    bool end_stuck(const std::vector<int> &world_ranks, bool (*still_holds)());

private:
    static void *run_thread(void *watch);
    void start_thread();
    void watch();
    int64_t look();

    std::mutex mutex_; // guards all below
    std::condition_variable changed_;
    std::vector<Run *> runs_;
    bool has_thread_ = false;
    bool is_called_ = false;
};

RunWatch &the_watch() {
    static auto *watch = new RunWatch; // never destroyed: its thread runs to the end
    return *watch;
}

void RunWatch::add(Run &run) {
    std::lock_guard guard(mutex_);
    if (runs_.empty())
        set_end_stuck_runs([](const std::vector<int> &ranks, bool (*still_holds)()) {
            return the_watch().end_stuck(ranks, still_holds);
        });
    start_deadlock_watch();
    runs_.push_back(&run);
}

void RunWatch::remove(Run &run) {
    std::lock_guard guard(mutex_);
    std::erase(runs_, &run);
}

void RunWatch::call() {
    std::lock_guard guard(mutex_);
    call_locked();
}

void RunWatch::call_locked() {
    is_called_ = true;
    if (!has_thread_)
        start_thread();
    changed_.notify_one();
}

// Without the thread, runs that never end would not be noticed: so this is fatal.
void RunWatch::start_thread() {
    has_thread_ = true;
    sigset_t all, old;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &old); // signals are for ranks
    pthread_t thread;
    const int error = create_own_thread(&thread, nullptr, run_thread, this);
    ::pthread_sigmask(SIG_SETMASK, &old, nullptr);
    if (error)
        die(1, "cannot start the thread that watches runs: %s; raise ulimit -u",
            std::strerror(error));
    ::pthread_detach(thread);
}

void *RunWatch::run_thread(void *watch) {
    add_library_thread();
    static_cast<RunWatch *>(watch)->watch();
    return nullptr;
}

void RunWatch::watch() {
    for (int64_t pause_ns = 0;; pause_ns = look()) {
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, std::chrono::nanoseconds(pause_ns), [this] { return is_called_; });
        is_called_ = false;
    }
}

// Lets all runs do what is due. Returns how long the watch may sleep then.
int64_t RunWatch::look() {
    const ActiveHere active;
    const std::lock_guard guard(mutex_);
    constexpr int64_t long_ns = 3'600'000'000'000;
    const int64_t now = now_ns();
    int64_t next = now + long_ns;
    for (Run *run : runs_)
        next = std::min(next, run->act(now));
    return std::max<int64_t>(next - now, 0);
}

// While a run is being ended, the process only seems quiescent: the watch, or the run's caller, is
// about to go on. A run whose ranks wait for a run that one of them has called is not stuck itself.
bool RunWatch::end_stuck(const std::vector<int> &world_ranks, bool (*still_holds)()) {
    std::optional<ActiveHere> active; // ends behind the lock
    const std::lock_guard guard(mutex_);
    if (still_holds && !still_holds())
        return true; // the watch has ended a run while the caller waited for the mutex
    if (std::ranges::any_of(runs_, [&](const Run *run) {
            return run->is_ending() || run->has_left_behind(world_ranks) ||
                   run->is_newer_than_a_look_at(world_ranks);
        }))
        return true;
    if (std::ranges::any_of(world_ranks, [](int world_rank) {
            return rank_at(world_rank - rank_at(0).world_rank)
                .ended.load(std::memory_order_relaxed);
        }))
        return true; // they have been ended since they were found stuck
    std::vector<Run *> stuck;
    for (Run *run : runs_)
        if (run->is_stuck(world_ranks) && std::ranges::none_of(runs_, [run](const Run *other) {
                return run->has_caller_of(*other);
            }))
            stuck.push_back(run);
    // Only if ranks go on: a report of quiescence is repeated if a thread was active during it.
    if (!stuck.empty())
        active.emplace();
    for (Run *run : stuck)
        run->condemn(RankEnd::Deadlocked, "they waited for ever");
    if (!stuck.empty())
        call_locked();
    return !stuck.empty();
}

} // namespace

void add_run(Run &run) {
    the_watch().add(run);
}

const RunWatcher run_watcher = {.call = [] { the_watch().call(); },
                                .forget =
                                    [](Run &run) {
                                        the_watch().remove(run);
                                    }};

} // namespace thrum
