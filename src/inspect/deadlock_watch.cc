// A look reads one atomic word or two of each rank. Only if ranks have stayed blocked since the
// last look, and something is new about them, are their waits read (wait_reader.h). If they show a
// deadlock, they are read again a little later: a deadlock is reported if both readings say the
// same and none of its threads has run in between.
#include "inspect/deadlock_watch.h"

#include "base/clock.h"
#include "base/detached_thread.h"
#include "base/settings.h"
#include "check/held_sends.h"
#include "fiber/activity.h"
#include "fiber/external_waits.h"
#include "fiber/library_threads.h"
#include "fiber/os_threads.h"
#include "inspect/cpu_time.h"
#include "inspect/deadlock.h"
#include "inspect/held_ranks.h"
#include "inspect/poll_looks.h"
#include "inspect/wait_reader.h"
#include "rank/job.h"
#include "rank/job_end.h"
#include "rank/vain_polls.h"
#include "wireup/wireup.h"

#include <algorithm>
#include <atomic>
#include <ctime>
#include <mutex>
#include <unistd.h>
#include <utility>

namespace thrum {
namespace {

// A deadlock is reported within a second after its last rank was blocked: two looks see it, and one
// confirms it.
constexpr int64_t look_every_ns = 300'000'000;
constexpr int64_t confirm_after_ns = 200'000'000;
// A send that --check holds is released after this time: a rank may wait outside MPI, unseen.
constexpr int64_t held_ns_max = 5'000'000'000;
constexpr int64_t look_share = 200; // a look takes at most one part in so many of the time

// What one reading says.
struct Finding {
    std::vector<int> stuck;   // indices of ranks that can never continue; empty: no deadlock
    std::vector<int> polling; // those of them that poll
    // How far their threads were.
    std::vector<std::vector<Witness>> witnesses;
    // All ranks that have not ended are stuck, and wait.
    bool is_everybody = false;
    bool some_have_ended = false; // for which a stuck rank waits
    // The next reading may say something else although no thread has moved.
    bool may_change = false;
    bool operator==(const Finding &) const = default;
};

bool polls(const Witness &witness) {
    return witness.thread.polls != nullptr;
}

// Returns whether nothing but the sleeping threads of `reading` keeps the scheduler from calling
// the process quiescent. A thread may become a blocking call between two loads, or the reverse;
// then it has departed. An idle worker that looks for work in vain is active for a moment, so this
// is tried again.
bool only_sleepers_are_active(const WaitReading &reading) {
    constexpr int attempts_max = 50, pause_us = 500;
    const Activity &now = activity();
    for (int attempt = 0; attempt < attempts_max; ++attempt) {
        const uint32_t departures = now.departures();
        // acquire [timer-2], [inside-1]: as in Activity::is_quiet().
        const bool pending = now.pending_timers.load(std::memory_order_acquire) != 0;
        const int announced = now.blocking_calls.load(std::memory_order_acquire); // [inside-1]
        const int active = now.active();
        if (pending || announced != reading.sleeping_announced)
            return false;
        if (now.departures() == departures && active == reading.sleeping_active)
            return true;
        ::usleep(pause_us);
    }
    return false;
}

// Returns whether every rank is blocked, and nothing can make one of them run.
bool all_wait_or_sleep(const WaitReading &reading) {
    for (const WaitNode &node : reading.graph.nodes)
        if (node.state == WaitNode::State::Free)
            return false;
    return !external_waits() && only_sleepers_are_active(reading);
}

std::vector<int> world_ranks_of(const std::vector<int> &indices) {
    std::vector<int> ranks;
    for (int index : indices)
        ranks.push_back(rank_at(index).world_rank);
    return ranks;
}

// Reports the deadlock of all or some ranks.
void report_finding(const Finding &finding) {
    if (finding.is_everybody)
        return report_deadlock_of_all(nullptr);
    report_deadlock_of({.ranks = world_ranks_of(finding.stuck),
                        .polling = world_ranks_of(finding.polling),
                        .some_have_ended = finding.some_have_ended});
}

class DeadlockWatch {
public:
    void start();

private:
    static void *run_thread(void *self);
    void run();
    void look();
    Finding find(const ProcessView &before, const ProcessView &now) const;
    bool examine();
    void look_for_polling(const ProcessView &now);

    std::atomic<bool> started_{false};
    // Used only by the thread.
    ProcessView last_;
    ProcessView examined_; // the view that has been examined last; not examined again
    PollLooks polls_;
    bool has_noted_polling_ = false;
};

DeadlockWatch &the_watch() {
    static auto *watch = new DeadlockWatch; // never destroyed: its thread runs to the end
    return *watch;
}

// Returns whether such threads still run after a while: a thread that is just ending, or about to
// sleep, remains visible for a moment. Returns at once if a rank has continued meanwhile.
bool unknown_threads_stay() {
    constexpr int attempts_max = 100, pause_us = 1000;
    for (int attempt = 0; attempt < attempts_max && unknown_threads_run(); ++attempt) {
        if (activity().active() > 1)
            return true;
        ::usleep(pause_us);
    }
    return unknown_threads_run();
}

// Without the thread the job runs all the same, so a failure is no error.
void DeadlockWatch::start() {
    if (!started_.exchange(true, std::memory_order_relaxed))
        start_detached_thread(run_thread, this);
}

void *DeadlockWatch::run_thread(void *self) {
    add_library_thread();
    static_cast<DeadlockWatch *>(self)->run();
    return nullptr;
}

void sleep_for(int64_t duration_ns) {
    const timespec duration{static_cast<time_t>(duration_ns / 1'000'000'000),
                            static_cast<long>(duration_ns % 1'000'000'000)};
    ::clock_nanosleep(CLOCK_MONOTONIC, 0, &duration, nullptr);
}

void DeadlockWatch::run() {
    for (int64_t pause_ns = look_every_ns;;) {
        sleep_for(pause_ns);
        const int64_t before_ns = thread_cpu_ns();
        look();
        pause_ns = std::max(look_every_ns, look_share * (thread_cpu_ns() - before_ns));
    }
}

// Ranks that have not moved since they were examined are not examined again: what was not a
// deadlock then becomes one only when another rank begins to wait, or ends. Ranks that poll run
// while they are read, and what else may act for a rank may end, so then they are.
void DeadlockWatch::look() {
    if (end_is_claimed() || job_is_over() || has_other_processes() || some_are_held())
        return;
    advance_poll_tick();
    ProcessView now = take_view();
    bool news = false;
    for (size_t i = 0; i < now.ranks.size() && !news; ++i)
        news = now.ranks[i].is_stuck() && i < last_.ranks.size() &&
               now.ranks[i] == last_.ranks[i] &&
               (i >= examined_.ranks.size() || !(now.ranks[i] == examined_.ranks[i]));
    news = news || (now.ended != examined_.ended && now.ended == last_.ended);
    news = news || !now.others.empty(); // whether they sleep is not known yet
    if (news) {
        const bool may_release = some_sends_are_held(); // instead of a report
        const Finding finding = find(last_, now);
        const bool is_settled = finding.stuck.empty() ? !finding.may_change : examine();
        examined_ = is_settled && !may_release ? now : ProcessView{};
    }
    release_sends_held_since(now_ns() - held_ns_max);
    look_for_polling(now);
    last_ = std::move(now);
}

// Says once that nobody makes progress, although some poll.
void DeadlockWatch::look_for_polling(const ProcessView &now) {
    if (polls_.look(now) && polls_.some_poll() && !has_noted_polling_) {
        has_noted_polling_ = true;
        report_polling(polls_.polling());
    }
}

Finding DeadlockWatch::find(const ProcessView &before, const ProcessView &now) const {
    Finding finding;
    std::unique_lock table(rank_table_mutex()); // as in take_view()
    WaitReading reading = read_waits(before, now);
    table.unlock();
    const bool others_may_act = other_causes_may_act();
    if (others_may_act)
        for (WaitNode &node : reading.graph.nodes)
            node.state = WaitNode::State::Free;
    finding.may_change = others_may_act || now.some_poll();
    finding.stuck = ranks_that_never_continue(reading.graph);
    if (all_wait_or_sleep(reading)) {
        finding.stuck.clear();
        for (size_t i = 0; i < reading.graph.nodes.size(); ++i)
            if (reading.graph.nodes[i].state == WaitNode::State::Blocked)
                finding.stuck.push_back(static_cast<int>(i));
    }
    const auto ended = std::ranges::count(now.ended, true);
    finding.is_everybody =
        finding.stuck.size() + static_cast<size_t>(ended) == reading.graph.nodes.size();
    finding.some_have_ended = waits_for_the_ended(reading.graph, finding.stuck);
    for (int rank : finding.stuck) {
        finding.witnesses.push_back(reading.witnesses[static_cast<size_t>(rank)]);
        if (std::ranges::any_of(finding.witnesses.back(), polls))
            finding.polling.push_back(rank);
    }
    finding.is_everybody = finding.is_everybody && finding.polling.empty();
    return finding;
}

// Reads twice, with a pause in which a rank that only looked stuck moves on. Returns whether both
// readings say the same, and so would others.
bool DeadlockWatch::examine() {
    const ProcessView first = take_view();
    const Finding before = find(last_, first);
    sleep_for(confirm_after_ns);
    const ProcessView second = take_view();
    const Finding after = find(first, second);
    if (before != after)
        return false;
    if (!after.stuck.empty())
        report_finding(after);
    return !after.may_change;
}

} // namespace

void start_deadlock_watch() {
    if (settings().on_deadlock != ignore_deadlocks)
        the_watch().start();
}

// Called when the process has become quiescent. Each condition is checked again here, since timers,
// window locks and unknown threads may still let a rank continue.
void report_deadlock() {
    // The report itself counts as active; any other active task has been woken, or has made its
    // first call, since. Other processes may send at any time: see process_deadlock.h.
    if (has_other_processes())
        return;
    if (unknown_threads_stay()) {
        start_deadlock_watch(); // they may sleep later
        return;
    }
    const auto still_holds = [] {
        return activity().only_report_is_active();
    };
    if (still_holds())
        report_deadlock_of_all(still_holds);
}
} // namespace thrum
