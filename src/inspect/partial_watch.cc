// How the watches of a job find a deadlock of some ranks (partial_watch.h):
//
//   each process   look()          a new reading -> Reading to the first process
//   first process  note_reading()  some ranks are stuck by the first readings -> ask(), a little
//                                  later: Ask to their processes
//                  note_answer()   all have answered -> judge(): proof, or another question later
//                  collect()       Tell to all; their Lines -> report_all(). If ranks in
//                                  MPI_Finalize are among the stuck, first Release to all, and a
//                                  moment for their ends; then collect() again
//   each process   look_for_polling()  nobody makes progress, or somebody again -> Stall to the
//   first first process  note_stall()    nobody in any process, for a while: collect() for a note
#include "inspect/partial_watch.h"

#include "base/clock.h"
#include "base/settings.h"
#include "fabric/fabric.h"
#include "inspect/call_report.h"
#include "inspect/cpu_time.h"
#include "inspect/deadlock.h"
#include "inspect/final_report.h"
#include "inspect/finalize_release.h"
#include "inspect/merged_snapshot.h"
#include "pt2pt/lost.h"
#include "rank/job_end.h"
#include "rank/status_page.h"
#include "rank/vain_polls.h"
#include "wireup/wireup.h"

#include <algorithm>
#include <cstdio>

namespace thrum {
namespace {

constexpr int64_t look_every_ns = 300'000'000;
constexpr int64_t look_share = 200; // a look takes at most one part in so many of the time
constexpr int64_t ask_after_ns = 300'000'000; // a rank that only looked stuck moves on meanwhile
constexpr int64_t pause_ns_max = 8'000'000'000;
constexpr int64_t poll_every_ns = 20'000'000;  // while a message of another watch may come
constexpr int64_t poll_for_ns = 1'000'000'000; // after one has gone
constexpr int64_t release_ns = 1'500'000'000;  // in which a rank let go from MPI_Finalize may end
constexpr int64_t note_after_ns = 2 * look_every_ns; // a process that goes on says so meanwhile
constexpr int64_t patience_ns = 5'000'000'000;       // a process that is stopped does not answer

// Returns the processes of ranks, each once.
std::vector<int> processes_of(const std::vector<int> &ranks) {
    std::set<int> processes;
    for (int rank : ranks)
        processes.insert(node_process_of(rank).number());
    return {processes.begin(), processes.end()};
}

bool is_gone(const WaitNode &node) {
    return node.state == WaitNode::State::Gone;
}

std::vector<int> ranks_in(const WaitGraph &graph, WaitNode::State state) {
    std::vector<int> ranks;
    for (size_t i = 0; i < graph.nodes.size(); ++i)
        if (graph.nodes[i].state == state)
            ranks.push_back(static_cast<int>(i));
    return ranks;
}

// Returns those of the ranks that poll.
std::vector<int> polling_ranks(const Snapshot &all, const std::vector<int> &ranks) {
    std::vector<int> polling;
    for (int rank : ranks)
        if (all.ranks[static_cast<size_t>(rank)].polls > 0)
            polling.push_back(rank);
    return polling;
}

} // namespace

// --- Every process.

// Nobody else takes messages in while all tasks of the process compute, for others know by their
// sleeping ranks whom to urge.
int64_t PartialWatch::act(NodeProcess first_process) {
    fabric_progress();
    if (look_at_ns_ <= now_ns())
        look(first_process);
    if (due_at_ns_ != 0 && due_at_ns_ <= now_ns()) {
        switch (phase_) {
        case Phase::Idle:
            ask();
            break;
        case Phase::Asking:
            judge();
            break;
        case Phase::Collecting:
            end_collection();
            break;
        case Phase::Releasing:
            collect(Purpose::Report);
            break;
        }
    }
    if (note_at_ns_ != 0 && note_at_ns_ <= now_ns() && phase_ == Phase::Idle) {
        note_at_ns_ = 0;
        has_noted_polling_ = true;
        collect(Purpose::Note);
    }
    int64_t next_ns = due_at_ns_ ? std::min(due_at_ns_, look_at_ns_) : look_at_ns_;
    if (const int64_t poll_ns = now_ns() + poll_every_ns; due_at_ns_ || poll_ns < poll_until_ns_)
        next_ns = std::min(next_ns, poll_ns);
    return next_ns;
}

void PartialWatch::send(NodeProcess process, What what, uint32_t number,
                        const std::string &payload) {
    poll_until_ns_ = now_ns() + poll_for_ns;
    send_(process, what, number, payload);
}

void PartialWatch::look(NodeProcess first_process) {
    const int64_t before_ns = thread_cpu_ns();
    advance_poll_tick();
    if (own_.look())
        send(first_process, What::Reading, own_.number(), own_.text());
    look_for_polling(first_process);
    look_at_ns_ = now_ns() + std::max(look_every_ns, look_share * (thread_cpu_ns() - before_ns));
}

void PartialWatch::look_for_polling(NodeProcess first_process) {
    std::string stall;
    if (polls_.look(own_.view())) {
        const Polling &all = polls_.polling();
        const int polling = std::max(all.polling, polls_.some_poll() ? 1 : 0);
        stall = std::to_string(polling) + " " + std::to_string(all.waiting);
    }
    if (stall != std::exchange(said_stall_, stall))
        send(first_process, What::Stall, 0, stall);
}

// If the job is to end, its ranks must not take the end of other processes for failures.
void PartialWatch::take(NodeProcess source, What what, uint32_t number,
                        const std::string &payload) {
    switch (what) {
    case What::Reading:
        return note_reading(source, number, payload);
    case What::Ask:
        return send(source, What::Answer, number,
                    number == own_.number() ? own_.read_again() : std::string());
    case What::Answer:
        return note_answer(source, number, payload);
    case What::Stall:
        return note_stall(source, payload);
    case What::Tell:
        if (number == 1)
            ignore_losses();
        return send(source, What::Lines, 0, calls_to_text());
    case What::Lines:
        return note_lines(payload);
    case What::Release:
        release_from_finalize(payload);
        return;
    }
}

void PartialWatch::forget() {
    own_.forget();
    known_.assign(known_.size(), {});
    before_release_.reset();
    said_stall_.clear();
    note_at_ns_ = 0;
    phase_ = Phase::Idle;
    due_at_ns_ = 0;
}

// --- The first process.

std::vector<const ProcessWaits *> PartialWatch::readings(Reading which) const {
    std::vector<const ProcessWaits *> all;
    for (const Known &known : known_) {
        const std::optional<ProcessWaits> &reading = known.*which;
        all.push_back(reading ? &*reading : nullptr);
    }
    return all;
}

// Returns the graph of the first readings. An envelope may have come since then, which is no reason
// for another reading, so all are taken to have come.
WaitGraph PartialWatch::first_graph() const {
    ProcessWaits assumed;
    std::vector<const ProcessWaits *> all = readings(&Known::first);
    for (const ProcessWaits *waits : all)
        if (waits)
            assumed.queued.insert(assumed.queued.end(), waits->sends.begin(), waits->sends.end());
    all.push_back(&assumed);
    return merged_graph(all, world_size());
}

// Readings are merged a little later, because many come at the same time.
void PartialWatch::note_reading(NodeProcess source, uint32_t number, const std::string &payload) {
    Known &known = known_[source.index()];
    known.first = waits_from_text(payload);
    known.number = number;
    if (phase_ == Phase::Idle) {
        pause_ns_ = std::max(ask_after_ns, look_share * merge_ns_);
        const int64_t due_ns = now_ns() + pause_ns_;
        due_at_ns_ = due_at_ns_ ? std::min(due_at_ns_, due_ns) : due_ns;
    } else if (std::exchange(known.is_asked, false)) { // its ranks have moved since
        judge_if_all_have_answered();
    }
}

void PartialWatch::try_later() {
    phase_ = Phase::Idle;
    due_at_ns_ = now_ns() + pause_ns_;
    pause_ns_ = std::min(2 * pause_ns_, pause_ns_max);
}

// Asks the processes of all that are stuck by the first readings, and those of ranks that have
// ended. Does nothing if none are stuck, or only those of a report.
void PartialWatch::ask() {
    const int64_t before_ns = thread_cpu_ns();
    const WaitGraph graph = first_graph();
    std::vector<int> ranks = ranks_that_never_continue(graph);
    merge_ns_ = thread_cpu_ns() - before_ns;
    due_at_ns_ = 0;
    if (ranks.empty() || reported_.count(ranks))
        return;
    const std::vector<int> ended = ranks_in(graph, WaitNode::State::Gone);
    ranks.insert(ranks.end(), ended.begin(), ended.end());
    phase_ = Phase::Asking;
    due_at_ns_ = now_ns() + patience_ns;
    for (Known &known : known_)
        known.second.reset();
    for (int process : processes_of(ranks))
        known_[static_cast<size_t>(process)].is_asked = true;
    for (int process : processes_of(ranks)) // the own answer comes at once
        send(NodeProcess(process), What::Ask, known_[static_cast<size_t>(process)].number, {});
}

void PartialWatch::note_answer(NodeProcess source, uint32_t number, const std::string &payload) {
    Known &known = known_[source.index()];
    if (phase_ != Phase::Asking || !known.is_asked || number != known.number)
        return;
    known.is_asked = false;
    known.second = waits_from_text(payload);
    judge_if_all_have_answered();
}

void PartialWatch::judge_if_all_have_answered() {
    if (phase_ == Phase::Asking && std::ranges::none_of(known_, &Known::is_asked))
        judge();
}

// Returns whether these processes had taken, before their second readings, what the ranks of the
// second readings had sent before their first ones.
bool PartialWatch::all_is_taken_by(const std::vector<int> &receivers) const {
    std::vector<int> senders;
    for (size_t i = 0; i < known_.size(); ++i)
        if (known_[i].second)
            senders.push_back(static_cast<int>(i));
    return all_is_taken(readings(&Known::first), readings(&Known::second), senders, receivers);
}

// Returns which ranks are stuck whatever those in MPI_Finalize do once they are let go from it.
std::vector<int> PartialWatch::stuck_without_finalizing(WaitGraph graph) const {
    for (const Known &known : known_)
        for (int rank : known.second ? known.second->finalizing : std::vector<int>())
            if (rank >= 0 && static_cast<size_t>(rank) < graph.nodes.size())
                graph.nodes[static_cast<size_t>(rank)].state = WaitNode::State::Free;
    return ranks_that_never_continue(graph);
}

// Decides by the second readings. Of a process that has not answered in time, or whose ranks have
// moved, no rank is stuck. If all ranks are, the report is that of process_deadlock.h.
void PartialWatch::judge() {
    for (Known &known : known_)
        known.is_asked = false;
    const WaitGraph graph = merged_graph(readings(&Known::second), world_size());
    std::vector<int> stuck = ranks_that_never_continue(graph);
    const size_t ended = ranks_in(graph, WaitNode::State::Gone).size();
    const bool is_everybody = stuck.size() + ended == graph.nodes.size() &&
                              std::ranges::none_of(known_, [](const Known &known) {
                                  return known.second && !known.second->polling.empty();
                              });
    Purpose purpose = Purpose::Report;
    if (!is_everybody && settings().on_deadlock == end_on_deadlocks) {
        std::vector<int> others = stuck_without_finalizing(graph);
        if (!others.empty()) {
            stuck = std::move(others);
        } else if (stuck_ == stuck) {
            purpose = Purpose::Release;
        } else if (!stuck
                        .empty()) { // the readings of others that wait for them may be on their way
            stuck_ = std::move(stuck);
            pause_ns_ = std::max(pause_ns_, 2 * look_every_ns);
            return try_later();
        }
    }
    if (stuck.empty() || reported_.count(stuck) || !all_is_taken_by(processes_of(stuck)))
        return try_later();
    some_have_ended_ = waits_for_the_ended(graph, stuck);
    reported_.insert(stuck);
    if (is_everybody) {
        is_everybody_ = true;
        return try_later();
    }
    stuck_ = std::move(stuck);
    collect(purpose);
}

// Asks all processes what their ranks do, while they run.
void PartialWatch::collect(Purpose purpose) {
    const bool ends_job = settings().on_deadlock == end_on_deadlocks && purpose == Purpose::Report;
    purpose_ = purpose;
    phase_ = Phase::Collecting;
    due_at_ns_ = now_ns() + patience_ns;
    all_ = {};
    missing_ = 0;
    std::vector<NodeProcess> others;
    for (NodeProcess process : node_processes())
        if (process != this_node_process() && !fabric_has_lost(process))
            others.push_back(process);
    missing_ = static_cast<int>(others.size()) + 1;
    for (NodeProcess process : others)
        send(process, What::Tell, ends_job ? 1 : 0, {});
    send(this_node_process(), What::Tell, ends_job ? 1 : 0, {}); // answers at once
}

void PartialWatch::note_lines(const std::string &payload) {
    if (phase_ != Phase::Collecting)
        return;
    (void)add_snapshot(all_, payload); // a process that has failed to make one is left out
    if (--missing_ == 0)
        end_collection();
}

// All have told what their ranks do, or the patience with them is over.
void PartialWatch::end_collection() {
    switch (purpose_) {
    case Purpose::Report:
        return report_all();
    case Purpose::Release:
        return release_finalizing();
    case Purpose::Note:
        return report_polling_of_all();
    }
}

// A process that makes progress again says so before the note is made.
void PartialWatch::note_stall(NodeProcess source, const std::string &payload) {
    Polling stall;
    const bool stalls = std::sscanf(payload.c_str(), "%d %d", &stall.polling, &stall.waiting) == 2;
    known_[source.index()].stall = stalls ? std::optional(stall) : std::nullopt;
    const auto is_still = [](const Known &known) {
        return known.stall ||
               (known.first && std::ranges::all_of(known.first->graph.nodes, is_gone));
    };
    if (!std::ranges::all_of(known_, is_still) || all_that_stall().polling == 0)
        note_at_ns_ = 0;
    else if (note_at_ns_ == 0 && !has_noted_polling_)
        note_at_ns_ = now_ns() + note_after_ns;
}

Polling PartialWatch::all_that_stall() const {
    Polling all;
    for (const Known &known : known_)
        if (known.stall) {
            all.polling += known.stall->polling;
            all.waiting += known.stall->waiting;
        }
    return all;
}

// Says once that nobody makes progress, although some poll. The job goes on.
void PartialWatch::report_polling_of_all() {
    complete_snapshot(all_, world_size());
    report("%s", polling_note(all_that_stall(), world_size()).c_str());
    for (const std::string &line : call_lines(all_))
        report("%s", line.c_str());
    pause_ns_ = ask_after_ns;
    try_later();
}

// Lets the ranks in MPI_Finalize go for which the others of the stuck ones wait, and gives them
// time to end. One that fails ends the job with its own report; one that does not is in the report
// as it was before.
void PartialWatch::release_finalizing() {
    complete_snapshot(all_, world_size());
    Snapshot stuck = all_;
    leave_only(stuck, stuck_);
    if (some_are_in_finalize(stuck)) {
        const std::string others = others_of_finalize(stuck);
        for (NodeProcess process : node_processes())
            if (!fabric_has_lost(process))
                send(process, What::Release, 0, others);
    }
    before_release_ = std::move(all_);
    phase_ = Phase::Releasing;
    due_at_ns_ = now_ns() + release_ns;
}

// Prints the report and ends the job. With --deadlock=warn the job goes on.
void PartialWatch::report_all() {
    const bool ends = settings().on_deadlock == end_on_deadlocks;
    if (ends) {
        claim_final_report();
        announce_end_of_job();
    }
    if (before_release_) {
        all_ = std::move(*before_release_);
        before_release_.reset();
    }
    complete_snapshot(all_, world_size());
    all_.stuck = stuck_;
    report("%s",
           partial_headline({stuck_, polling_ranks(all_, stuck_), some_have_ended_}, world_size())
               .c_str());
    for (const std::string &line : call_lines(all_))
        report("%s", line.c_str());
    if (ends)
        leave(deadlock_exit_code);
    report("  the job goes on (--deadlock=warn)");
    pause_ns_ = ask_after_ns;
    try_later();
}

} // namespace thrum
