#include "inspect/held_ranks.h"

#include "base/clock.h"
#include "base/detached_thread.h"
#include "base/spinlock.h"
#include "fiber/library_threads.h"
#include "fiber/timer.h"
#include "inspect/queue_listing.h"
#include "observe/observer.h"

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <ctime>
#include <linux/futex.h>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>

namespace thrum {
namespace {

// A thread of a rank that is held. Lives on its stack.
struct Held {
    RankThread &self;
    Held *next = nullptr;
};

SpinLock held_lock; // guards the list, and steps that are taken
Held *first_held = nullptr, *last_held = nullptr;
std::atomic<int> held_count{0};
const char *directory_of_queues = nullptr; // a setting: lives as long as the process
bool can_hold = false;                     // the thread runs; set before ranks make calls

// Takes one of the steps that the rank may make. The other program adds some, and may take all
// back at this moment.
bool take_step(observe::RankRecord &record) {
    uint64_t steps = record.steps.load(std::memory_order_relaxed);
    while (steps != 0 &&
           !record.steps.compare_exchange_weak(steps, steps - 1, std::memory_order_relaxed,
                                               std::memory_order_relaxed))
        ;
    return steps != 0;
}

// Removes from the list the threads that may go on: all when the hold is over, else those of ranks
// with a step.
TaskList take_released() {
    TaskList going;
    LockGuard guard(held_lock);
    const bool all = !observe::holds_ranks();
    Held *staying = nullptr, *last_staying = nullptr;
    while (Held *held = first_held) {
        first_held = held->next;
        held->next = nullptr;
        if (all || take_step(*held->self.rank->record)) {
            going.push(held->self);
            continue;
        }
        // Again, if another thread of its rank has gone on.
        observe::note_held(*held->self.rank->record);
        (last_staying ? last_staying->next : staying) = held;
        last_staying = held;
    }
    first_held = staying;
    last_held = last_staying;
    return going;
}

// The word is in a file that another process maps, so this is no process-private futex.
void sleep_until_news(observe::Observation &o, uint32_t seen, int64_t timeout_ns) {
    const timespec timeout{static_cast<time_t>(timeout_ns / 1'000'000'000),
                           static_cast<long>(timeout_ns % 1'000'000'000)};
    ::syscall(SYS_futex, &o.control_news, FUTEX_WAIT, seen, timeout_ns < 0 ? nullptr : &timeout,
              nullptr, 0);
}

// Answers by a file that appears when it is complete. Does not answer if it cannot be written.
void answer_about_queues(observe::Observation &o) {
    const uint32_t asked = o.queues_asked.load(std::memory_order_relaxed);
    if (asked == o.queues_answered.load(std::memory_order_relaxed))
        return;
    const std::string path =
        std::string(directory_of_queues) + "/queues." + std::to_string(o.first_rank);
    const std::string part = path + ".part";
    const std::string text = list_queues();
    std::FILE *file = std::fopen(part.c_str(), "we");
    const bool is_written = file && std::fwrite(text.data(), 1, text.size(), file) == text.size();
    const bool is_whole = file && std::fclose(file) == 0 && is_written;
    if (!is_whole || std::rename(part.c_str(), path.c_str()) != 0)
        ::unlink(part.c_str());
    else
        // release [hold-1]: a reader of the number finds the file.
        o.queues_answered.store(asked, std::memory_order_release);
}

// Ends a hold that is over. Returns how long it still lasts; -1: nobody is held.
int64_t rest_of_hold(observe::Observation &o) {
    uint64_t until = o.hold_until_ns.load(std::memory_order_relaxed);
    const auto now = static_cast<uint64_t>(now_ns());
    if (until > now)
        return static_cast<int64_t>(until - now);
    if (until != 0)
        o.hold_until_ns.compare_exchange_strong(until, 0, std::memory_order_relaxed);
    return o.hold_until_ns.load(std::memory_order_relaxed) ? 0 : -1;
}

// Tasks are made runnable before they cease to count as pending: the process is never quiescent in
// between.
void *serve(void *) {
    add_library_thread();
    observe::Observation &o = *observe::own_observation();
    for (;;) {
        // acquire [hold-2]: what the other program has written before.
        const uint32_t seen = o.control_news.load(std::memory_order_acquire);
        const int64_t rest_ns = rest_of_hold(o);
        TaskList going = take_released();
        const int count = static_cast<int>(going.count);
        make_all_runnable(going);
        if (count)
            add_pending_timers(-count);
        answer_about_queues(o);
        sleep_until_news(o, seen, rest_ns);
    }
    return nullptr;
}

} // namespace

// Also in jobs that nobody will hold, such as those of mpiexec --report: `thrum top` may come to
// each of them. No rank could start the thread then, because one asks what is in the queues above
// all when all ranks wait inside calls. Without the thread nobody is held.
void start_holding(const char *directory) {
    directory_of_queues = directory;
    can_hold = start_detached_thread(serve, nullptr) == 0;
}

// Counts as a wait, so that a rank that polls is not taken for one that polls in vain meanwhile.
// What the thread saw as a hold may be over when it has the lock: who ends holds looks at the list
// after that.
void hold_at_call(RankThread &self) {
    if (!can_hold)
        return;
    observe::RankRecord &record = *self.rank->record;
    std::atomic<uint32_t> &waits = self.call.waits; // only this thread writes it
    waits.store(waits.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    Held held{self};
    prepare_to_suspend(self);
    {
        LockGuard guard(held_lock);
        if (!observe::holds_ranks() || take_step(record)) {
            abandon_suspension(self);
            return;
        }
        add_pending_timers(1);
        held_count.fetch_add(1, std::memory_order_relaxed);
        observe::note_held(record);
        (last_held ? last_held->next : first_held) = &held;
        last_held = &held;
    }
    suspend(self);
    held_count.fetch_sub(1, std::memory_order_relaxed);
    observe::note_held_end(self.observed, record);
}

bool some_are_held() {
    return held_count.load(std::memory_order_relaxed) > 0;
}

} // namespace thrum
