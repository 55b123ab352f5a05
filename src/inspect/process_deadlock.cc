// The observers of a job (process_deadlock.h says how they detect a deadlock).
//
//   each process   run(): look()  quiet for a moment -> Quiet (counters) to the first process
//   first process  note_quiet()   all quiet, sums agree -> start_wave(): Ask to all
//                  take_answer()  all answered -> end_wave(): proof, or another wave, or later
//                  collect()      Tell to all; their Snapshots -> report_all()
//                  report_all()   if some are in MPI_Finalize: Release to all, and a moment for
//                                 them to end the job with an exit code
//
// If the first process is lost, the next one that is left takes its role: all counts begin anew.
#include "inspect/process_deadlock.h"

#include "base/check.h"
#include "base/clock.h"
#include "base/own_threads.h"
#include "base/settings.h"
#include "base/spinlock.h"
#include "fabric/fabric.h"
#include "fiber/library_threads.h"
#include "fiber/process_quiescence.h"
#include "inspect/deadlock.h"
#include "inspect/final_report.h"
#include "inspect/finalize_release.h"
#include "inspect/merged_snapshot.h"
#include "inspect/partial_watch.h"
#include "inspect/snapshot.h"
#include "pt2pt/lost.h"
#include "rank/job.h"
#include "rank/status_page.h"
#include "wireup/wireup.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstring>
#include <memory>
#include <optional>
#include <pthread.h>
#include <unistd.h>
#include <utility>

namespace thrum {
namespace {

constexpr int64_t moment_ns = 250'000'000; // how long a process must be quiet before it says so
constexpr int64_t moment_ns_max = 1'000'000'000; // the moment doubles up to this
constexpr int release_us = 1'500'000;            // how long released ranks may take to end the job
constexpr int64_t retry_ns_max = 8'000'000'000;  // longest pause between two waves

// How many messages a process has sent and taken since its start, and how often processes have let
// each other go on at its gates. After the loss of a process only messages count as sent and taken.
struct Counters {
    uint64_t sent = 0, taken = 0, passages = 0;
    bool operator==(const Counters &) const = default;
};

// The messages between observers.
struct Note {
    // The kind of note.
    enum class What : uint32_t {
        Quiet,    // to the first process: I am quiet, with these counters
        Ask,      // from the first process: are you quiet?
        Answer,   // to it: whether quiet, and counters
        Tell,     // from it: what do your ranks wait for?
        Snapshot, // to it: the answer, in the payload
        Release,  // from it: MPI_Finalize need not wait; in the payload, where others wait
        Partial,  // of the watch for deadlocks of some ranks; its kind is `partial`
    } what;

    uint32_t wave;  // of Ask and Answer: a late answer to an earlier wave is ignored; of Partial
    uint32_t quiet; // of Quiet and Answer: 0 or 1
    uint32_t lost;  // how many processes the sender knows to be lost
    Counters counters;
    PartialWatch::What partial{};
};

// A note, with the process that has sent it.
struct ReceivedNote {
    NodeProcess source;
    Note note;
    std::string payload;
};

// The observer of this process. In the first process it also collects what the others report. Its
// thread does everything; other threads only leave notes.
class Observer {
public:
    void start();
    void stop();
    // Takes a note from another process. Runs on any thread, and briefly.
    void take_in(const Arrival &arrival);

private:
    static void *run_thread(void *self);
    void run();
    void take_notes();
    void take(const ReceivedNote &received);
    int64_t look_for_partial();
    void forget_all_if_somebody_is_lost();
    int64_t look();
    bool is_quiet(Counters &counters) const;
    bool is_quiet_for_a_moment(Counters &counters) const;
    void send(NodeProcess process, const Note &note, const std::string &payload = {}) const;
    static void send_partial(NodeProcess process, PartialWatch::What what, uint32_t number,
                             const std::string &payload);
    void answer(NodeProcess source, uint32_t wave);

    // Returns whether this is the first process that is not lost.
    bool is_first() const;
    NodeProcess first_process() const;
    bool agrees_about_losses(const Note &note) const;
    void note_quiet(NodeProcess process, const Counters &counters);
    void start_wave();
    void take_answer(NodeProcess process, const Note &note);
    void end_wave();
    void collect();
    static std::string tell();
    void take_snapshot_of(const std::string &text);
    void release_some_from_finalize();
    void report_all();

    // What the first process knows about a process.
    struct Known {
        bool quiet = false;
        bool answered = false;
        Counters counters;
    };

    std::optional<Counters> sums() const; // if all are quiet

    pthread_t thread_{};
    bool started_ = false;
    std::atomic<bool> stopping_{false};
    SpinLock lock_;
    std::vector<ReceivedNote> notes_; // guarded by lock_
    // Used only by the observer's thread.
    std::unique_ptr<PartialWatch> partial_;
    int lost_count_ = 0;
    std::optional<Counters> candidate_; // reported if they stay the same for a moment
    std::optional<Counters> reported_;  // last told to the first process; not told again
    int64_t candidate_since_ns_ = 0;    // when they were first seen
    int64_t moment_ns_ = moment_ns;
    bool was_busy_ = false;                // since the candidate was chosen
    int64_t threads_retry_ns_ = moment_ns; // last pause while a thread of the program ran
    // Used only in the first process.
    enum class Phase { Idle, Asking, Collecting } phase_ = Phase::Idle;
    std::vector<Known> known_; // by process
    uint32_t wave_ = 0;
    std::optional<Counters> before_; // the sums before this wave
    int64_t retry_at_ns_ = 0;        // 0: no retry
    int64_t retry_ns_ = moment_ns;
    Snapshot all_;
    int missing_snapshots_ = 0;
    bool has_reported_all_ = false;
};

Observer &the_observer() {
    static auto *observer = new Observer; // never destroyed: notes come until the process ends
    return *observer;
}

// Without this thread a deadlock would never be detected, so a failure ends the process.
void Observer::start() {
    known_.resize(static_cast<size_t>(node_process_count()));
    partial_ = std::make_unique<PartialWatch>(node_process_count(), send_partial);
    sigset_t all, old;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &old); // signals are for ranks
    started_ = create_own_thread(&thread_, nullptr, run_thread, this) == 0;
    ::pthread_sigmask(SIG_SETMASK, &old, nullptr);
    if (!started_)
        die(1, "cannot start the thread that watches for deadlocks; raise ulimit -u");
}

// Wakes the thread, which may sleep for any time.
void Observer::stop() {
    if (!started_)
        return;
    stopping_.store(true, std::memory_order_relaxed);
    notify_observer();
    join_own_thread(thread_);
    started_ = false;
}

void *Observer::run_thread(void *self) {
    add_library_thread();
    static_cast<Observer *>(self)->run();
    return nullptr;
}

// Handles notes, then looks whether the process is quiet, then sleeps until one of these may have
// changed. The view is taken first, so nothing is missed in between.
void Observer::run() {
    while (!stopping_.load(std::memory_order_relaxed)) {
        const ObserverView seen = observer_view();
        forget_all_if_somebody_is_lost();
        take_notes();
        if (retry_at_ns_ != 0 && retry_at_ns_ <= now_ns())
            start_wave();
        int64_t timeout_ns = look();
        const bool quiet_too = timeout_ns < 0;
        if (retry_at_ns_ != 0) {
            const int64_t left_ns = std::max(retry_at_ns_ - now_ns(), int64_t{0});
            timeout_ns = quiet_too ? left_ns : std::min(left_ns, timeout_ns);
        }
        const int64_t left_ns = std::max(look_for_partial() - now_ns(), int64_t{0});
        timeout_ns = timeout_ns < 0 ? left_ns : std::min(left_ns, timeout_ns);
        wait_for_observer_news(seen, quiet_too, timeout_ns);
    }
}

// Only copies the note: it runs in an arrive function.
void Observer::take_in(const Arrival &arrival) {
    ReceivedNote received{arrival.source, {}, {}};
    CHECK(arrival.header_bytes == sizeof received.note);
    std::memcpy(&received.note, arrival.header, sizeof received.note);
    if (arrival.payload_bytes > 0)
        received.payload.assign(static_cast<const char *>(arrival.payload), arrival.payload_bytes);
    {
        LockGuard guard(lock_);
        notes_.push_back(std::move(received));
    }
    notify_observer();
}

// The notes are handled without the lock, as answering them may take long.
void Observer::take_notes() {
    std::vector<ReceivedNote> notes;
    {
        LockGuard guard(lock_);
        notes.swap(notes_);
    }
    for (const ReceivedNote &received : notes)
        take(received);
}

// Notes after the phase to which they belong are ignored by each function.
void Observer::take(const ReceivedNote &received) {
    const Note &note = received.note;
    switch (note.what) {
    case Note::What::Quiet:
        if (agrees_about_losses(note))
            note_quiet(received.source, note.counters);
        return;
    case Note::What::Ask:
        return answer(received.source, note.wave);
    case Note::What::Answer:
        return take_answer(received.source, note);
    case Note::What::Tell:
        return send(received.source, {Note::What::Snapshot, 0, 0, 0, {}}, tell());
    case Note::What::Snapshot:
        return take_snapshot_of(received.payload);
    case Note::What::Release:
        release_from_finalize(received.payload);
        return;
    case Note::What::Partial:
        return partial_->take(received.source, note.partial, note.wave, received.payload);
    }
}

// Looks for a deadlock of some ranks; returns when to look again. If it has found that all ranks
// wait for each other, some process is not quiet: a thread sleeps in it. Otherwise a wave reports
// it.
int64_t Observer::look_for_partial() {
    const int64_t next_ns = partial_->act(first_process());
    if (partial_->take_everybody() && phase_ == Phase::Idle && !has_reported_all_)
        collect();
    return next_ns;
}

// Discards all counts after the loss of a process, because they include that process.
void Observer::forget_all_if_somebody_is_lost() {
    int lost = 0;
    for (NodeProcess process : node_processes())
        lost += fabric_has_lost(process);
    if (lost == std::exchange(lost_count_, lost))
        return;
    reported_.reset();
    candidate_.reset();
    partial_->forget();
    phase_ = Phase::Idle;
    known_.assign(known_.size(), {});
    ++wave_;
    if (is_first())
        retry_at_ns_ = now_ns() + moment_ns;
}

// --- Every process.

// Returns whether the process is quiet, with its counters. The order of the reads matters: a
// message that is counted as taken has already made its receiver active, and everything that the
// receiver sent while it was active counts as sent. A gate that is open counts before its rank is
// known to be active, so that passages need no counting after a loss.
bool Observer::is_quiet(Counters &counters) const {
    const FabricTraffic before = fabric_traffic();
    counters.taken = before.taken;
    const bool quiet = process_is_quiet();
    const FabricTraffic traffic = fabric_traffic();
    counters.sent = traffic.sent;
    counters.passages = traffic.passages;
    return quiet && !before.gates_over && !traffic.reads && !traffic.gates_over &&
           !fabric_has_grown();
}

// Tries for up to 50 ms: a note that arrives may wake a worker, which finds nothing to do and
// sleeps again.
bool Observer::is_quiet_for_a_moment(Counters &counters) const {
    constexpr int attempts_max = 50, pause_us = 1000;
    for (int attempt = 0; attempt < attempts_max; ++attempt) {
        if (is_quiet(counters))
            return true;
        ::usleep(pause_us);
    }
    return false;
}

// Reports that the process is quiet, once it has been so for a moment. Returns how long nothing
// needs to be done unless something happens; -1: for any time, and becoming quiet counts as
// something.
int64_t Observer::look() {
    Counters now;
    if (!is_quiet(now)) {
        was_busy_ = true;
        return -1;
    }
    if (reported_ == now)
        return -1;
    if (candidate_ != now || std::exchange(was_busy_, false)) {
        moment_ns_ = candidate_ ? std::min(2 * moment_ns_, moment_ns_max) : moment_ns;
        candidate_ = now;
        candidate_since_ns_ = now_ns();
        return moment_ns_;
    }
    const int64_t left_ns = candidate_since_ns_ + moment_ns_ - now_ns();
    if (left_ns > 0)
        return left_ns;
    candidate_.reset();
    if (!all_others_are_blocked()) { // a thread of the program runs, and may sleep later
        threads_retry_ns_ = std::min(2 * threads_retry_ns_, retry_ns_max);
        return threads_retry_ns_;
    }
    threads_retry_ns_ = moment_ns;
    reported_ = now;
    if (is_first())
        note_quiet(this_node_process(), now);
    else
        send(first_process(), {Note::What::Quiet, 0, 1, static_cast<uint32_t>(lost_count_), now});
    // A wave that this began may have found a thread of the program running.
    return reported_ ? -1 : moment_ns_;
}

// A lost process needs no note: the observer sees the loss itself.
void Observer::send(NodeProcess process, const Note &note, const std::string &payload) const {
    assert_does_not_suspend(); // for a thread that is not a task fabric_send() leaves a copy
    iovec part{const_cast<char *>(payload.data()), payload.size()};
    (void)fabric_send(process, Channel::Collective, MessageKind::Deadlock, &note, sizeof note,
                      &part, payload.empty() ? 0 : 1);
}

// Sends a note of the watch for deadlocks of some ranks. One to this process is taken at once.
void Observer::send_partial(NodeProcess process, PartialWatch::What what, uint32_t number,
                            const std::string &payload) {
    if (process == this_node_process())
        return the_observer().partial_->take(process, what, number, payload);
    the_observer().send(process, {Note::What::Partial, number, 0, 0, {}, what}, payload);
}

// Answers the first process. The answer counts as a report; a busy process reports again when it
// is quiet.
void Observer::answer(NodeProcess source, uint32_t wave) {
    Note note{Note::What::Answer, wave, 0, static_cast<uint32_t>(lost_count_), {}};
    note.quiet = is_quiet_for_a_moment(note.counters) && all_others_are_blocked();
    if (note.quiet)
        reported_ = note.counters;
    else
        reported_.reset();
    send(source, note);
}

// --- The first process.

// Returns the first process that is not lost.
NodeProcess Observer::first_process() const {
    int process = 0;
    while (fabric_has_lost(NodeProcess(process)))
        ++process;
    return NodeProcess(process);
}

bool Observer::is_first() const {
    return first_process() == this_node_process();
}

// A process that has not noticed a loss yet counts the messages of the lost one, and waits for it.
// The side that notices later begins anew: the first process asks all, another one reports again.
bool Observer::agrees_about_losses(const Note &note) const {
    return note.lost == static_cast<uint32_t>(lost_count_);
}

// Returns the sums over all processes that are not lost, or nothing if one of them is not known to
// be quiet.
std::optional<Counters> Observer::sums() const {
    Counters sums;
    for (NodeProcess process : node_processes()) {
        if (fabric_has_lost(process))
            continue;
        const Known &known = known_[process.index()];
        if (!known.quiet)
            return {};
        sums.sent += known.counters.sent;
        sums.taken += known.counters.taken;
        sums.passages += known.counters.passages;
    }
    return sums;
}

// Records that a process is quiet. A wave is started only if all are and the sums agree. Otherwise
// messages are in transit, or a process counted before it had taken all of them: then a wave is
// tried a little later.
void Observer::note_quiet(NodeProcess process, const Counters &counters) {
    Known &known = known_[process.index()];
    known.quiet = true;
    known.counters = counters;
    if (phase_ != Phase::Idle || retry_at_ns_ != 0)
        return;
    const std::optional<Counters> all = sums();
    if (!all)
        return;
    retry_ns_ = moment_ns;
    if (all->sent == all->taken)
        start_wave();
    else // some counted before they had taken all messages
        retry_at_ns_ = now_ns() + retry_ns_;
}

// Asks all processes the second time (the second wave of Mattern's algorithm), with a new number,
// so that late answers to an earlier wave are recognised. Its own answer is taken at once.
void Observer::start_wave() {
    retry_at_ns_ = 0;
    phase_ = Phase::Asking;
    before_ = sums();
    ++wave_;
    for (Known &known : known_)
        known.answered = false;
    for (NodeProcess process : node_processes())
        if (process != this_node_process() && !fabric_has_lost(process))
            send(process, {Note::What::Ask, wave_, 0, 0, {}});
    Note own{Note::What::Answer, wave_, 0, static_cast<uint32_t>(lost_count_), {}};
    own.quiet = is_quiet_for_a_moment(own.counters) && all_others_are_blocked();
    take_answer(this_node_process(), own);
}

// Records an answer to the current wave, and ends the wave with the last one.
void Observer::take_answer(NodeProcess process, const Note &note) {
    if (phase_ != Phase::Asking || note.wave != wave_)
        return;
    Known &known = known_[process.index()];
    known = {note.quiet != 0 && agrees_about_losses(note), true, note.counters};
    if (process == this_node_process())
        reported_ = known.quiet ? std::optional(note.counters) : std::nullopt;
    for (NodeProcess other : node_processes())
        if (!known_[other.index()].answered && !fabric_has_lost(other))
            return;
    end_wave();
}

// Compares the sums. The number taken before the wave equals the number sent by its end: proof.
// They agree only now: this wave was the first look, and another follows. Else messages are in
// transit.
void Observer::end_wave() {
    phase_ = Phase::Idle;
    const std::optional<Counters> after = sums();
    if (!after)
        return; // busy processes will report when they are quiet
    if (before_ && before_->taken == after->sent && before_->passages == after->passages)
        return collect();
    if (after->taken == after->sent)
        return start_wave();
    retry_ns_ = std::min(2 * retry_ns_, retry_ns_max);
    retry_at_ns_ = now_ns() + retry_ns_;
}

// Returns the snapshot of this process. If the job is to end, its ranks must not take the end of
// other processes for failures: what they print would follow the report.
std::string Observer::tell() {
    if (settings().on_deadlock == end_on_deadlocks)
        ignore_losses();
    return snapshot_to_text(take_snapshot());
}

// Asks all processes what their ranks wait for. All are quiet, so nothing changes meanwhile.
void Observer::collect() {
    phase_ = Phase::Collecting;
    all_ = {};
    missing_snapshots_ = 1;
    for (NodeProcess process : node_processes())
        if (process != this_node_process() && !fabric_has_lost(process)) {
            ++missing_snapshots_;
            send(process, {Note::What::Tell, 0, 0, 0, {}});
        }
    take_snapshot_of(tell());
}

// Adds a process's snapshot; the last one completes the report.
void Observer::take_snapshot_of(const std::string &text) {
    if (phase_ != Phase::Collecting)
        return;
    CHECK(add_snapshot(all_, text), "a snapshot of %zu bytes", text.size());
    if (--missing_snapshots_ == 0)
        report_all();
}

// Lets ranks in MPI_Finalize go for which the others wait, and gives them time to end. One that
// fails ends the job with its own report; one that does not waits for the report below.
void Observer::release_some_from_finalize() {
    if (!some_are_in_finalize(all_))
        return;
    const std::string others = others_of_finalize(all_);
    for (NodeProcess process : node_processes())
        if (process != this_node_process() && !fabric_has_lost(process))
            send(process, {Note::What::Release, 0, 0, 0, {}}, others);
    release_from_finalize(others);
    ::usleep(release_us);
}

// Prints the report of all processes and ends the job. With --deadlock=warn the job goes on.
void Observer::report_all() {
    complete_snapshot(all_, world_size());
    phase_ = Phase::Idle;
    has_reported_all_ = true;
    const bool ends = settings().on_deadlock == end_on_deadlocks;
    if (ends) {
        release_some_from_finalize();
        claim_final_report();
        announce_end_of_job();
    }
    for (const std::string &line : deadlock_lines(all_))
        report("%s", line.c_str());
    if (ends)
        leave(deadlock_exit_code);
    report("  the job goes on (--deadlock=warn)");
}

// Notes may arrive before the observer has started.
[[gnu::constructor]] void install() {
    set_arrive_function(MessageKind::Deadlock,
                        [](void *, const Arrival &arrival) { the_observer().take_in(arrival); });
}

} // namespace

void watch_for_process_deadlocks() {
    if (node_process_count() > 1 && !origin() && settings().on_deadlock != ignore_deadlocks)
        the_observer().start();
}

void cease_to_watch_for_process_deadlocks() {
    the_observer().stop();
}

} // namespace thrum
