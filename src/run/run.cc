#include "run/run.h"

#include "base/clock.h"
#include "comm/process.h"
#include "comm/process_lifecycle.h"
#include "image/image.h"
#include "inspect/deadlock_report.h"
#include "inspect/snapshot.h"
#include "libc/resume.h"
#include "libc/signals.h"
#include "pt2pt/departure.h"
#include "rank/added.h"
#include "run/own_numbers.h"

#include <algorithm>
#include <limits>

namespace thrum {
namespace {

constexpr int64_t never = std::numeric_limits<int64_t>::max();
// How long other ranks go on after one has failed. They may not wait but poll.
constexpr int64_t grace_ns = 2'000'000'000;
// While ranks of a condemned run compute: how often they are interrupted, from when on they are
// abandoned, and when the run gives up.
constexpr int64_t kick_every_ns = 5'000'000, abandon_after_ns = 100'000'000,
                  give_up_after_ns = 1'000'000'000;

// How often the watch looks after ranks that a run has left behind.
constexpr int64_t look_after_left_ns = 50'000'000;

// Returns whether what the rank has left in MPI may refer to its stack, which is gone.
bool has_left_pieces(const Contained &member) {
    const RankEnd failure = member.failure.load(std::memory_order_relaxed);
    return member.was_inside_mpi || failure == RankEnd::Signaled || failure == RankEnd::Abandoned;
}

bool has_ended(const Rank &rank) {
    return rank.ended.load(std::memory_order_acquire); // acquire [rank-end-1]
}

} // namespace

Run::Run(int count, const void *function, void *argument, int64_t time_limit_ns,
         const RunWatcher &watch)
    : count_(count), function_(function), argument_(argument), time_limit_ns_(time_limit_ns),
      watch_(watch), members_(new Contained[static_cast<size_t>(count)]),
      caller_(&current_rank_thread()) {
    for (int i = 0; i < count; ++i) {
        members_[static_cast<size_t>(i)].run = this;
        members_[static_cast<size_t>(i)].text[0] = 0;
    }
}

bool Run::make(bool shares_globals, std::string &error) {
    if (!make_contained_ranks(shares_globals, members_.get(), static_cast<size_t>(count_), ranks_,
                              error))
        return false;
    add_processes(ranks_.data(), ranks_.size());
    begin_ns_ = now_ns();
    if (time_limit_ns_ > 0)
        deadline_ns_ = begin_ns_ + time_limit_ns_;
    alive_.store(count_, std::memory_order_relaxed);
    holders_.store(count_ + 1, std::memory_order_relaxed);
    return true;
}

void Run::start() {
    start_ranks(ranks_);
}

bool Run::has_ended(int rank) const {
    return thrum::has_ended(*ranks_[static_cast<size_t>(rank)]);
}

void Run::wait() {
    done_.wait();
}

void Run::leave() {
    // acq_rel [run-holders-1]: the last one sees what all others have done.
    if (holders_.fetch_sub(1, std::memory_order_acq_rel) == 1)
        release();
}

void Run::release() {
    bool failed = condemned_at_ns_ != 0;
    for (int i = 0; i < count_ && !failed; ++i)
        failed = has_left_pieces(member(i));
    watch_.forget(*this);
    if (!ranks_.empty())
        release_contained_ranks(ranks_, failed);
    delete this;
}

// ---- on the ranks

int Run::call(Contained &member) {
    Process &process = *member.rank->process;
    begin_world(process, MPI_THREAD_MULTIPLE);
    const void *function = member.has_own_process_state
                               ? translate(member.rank->image, original_of(function_))
                               : function_;
    auto *typed = reinterpret_cast<Function *>(reinterpret_cast<uintptr_t>(function));
    const int code = typed(MPI_COMM_WORLD, argument_);
    depart(process, SendingModel::World);
    return code;
}

void Run::close_mpi(Contained &member) {
    close_process(*member.rank->process);
}

void Run::rank_has_ended(Contained &member) {
    const bool has_failed = member.failure.load(std::memory_order_relaxed) != RankEnd::Returned;
    // acq_rel [run-alive-1]: the last one sees what all others have done.
    const int others = alive_.fetch_sub(1, std::memory_order_acq_rel) - 1;
    if (others == 0) {
        if (!is_done_.exchange(true, std::memory_order_relaxed))
            done_.complete();
    } else if (has_failed) {
        int64_t none = 0;
        if (failed_at_ns_.compare_exchange_strong(none, now_ns(), std::memory_order_relaxed,
                                                  std::memory_order_relaxed))
            watch_.call();
    }
    leave();
}

// ---- on the watch

bool Run::is_stuck(const std::vector<int> &world_ranks) const {
    return std::ranges::any_of(ranks_, [&](const Rank *rank) {
        return !thrum::has_ended(*rank) && waits_in_mpi(*rank) &&
               (world_ranks.empty() ||
                std::ranges::find(world_ranks, rank->world_rank) != world_ranks.end());
    });
}

bool Run::is_newer_than_a_look_at(const std::vector<int> &world_ranks) const {
    constexpr int64_t look_ns = 200'000'000; // it takes longer (inspect/deadlock_watch.cc)
    return now_ns() - begin_ns_ < look_ns &&
           std::ranges::any_of(
               ranks_,
               [&](const Rank *rank) {
                   return std::ranges::find(world_ranks, rank->world_rank) != world_ranks.end();
               });
}

bool Run::is_ending() const {
    return !has_given_up_ && (condemned_at_ns_ != 0 || is_done_.load(std::memory_order_relaxed));
}

bool Run::has_left_behind(const std::vector<int> &world_ranks) const {
    return has_given_up_ && !world_ranks.empty() &&
           std::ranges::all_of(world_ranks, [this](int world_rank) {
               return std::ranges::any_of(ranks_, [world_rank](const Rank *rank) {
                   return rank->world_rank == world_rank;
               });
           });
}

bool Run::has_caller_of(const Run &other) const {
    return std::ranges::find(ranks_, other.caller_->rank) != ranks_.end();
}

void Run::condemn(RankEnd end, const std::string &reason) {
    if (condemned_at_ns_ != 0 || is_done_.load(std::memory_order_relaxed))
        return;
    condemned_at_ns_ = now_ns();
    condemnation_ = end;
    reason_ = reason;
    for (int i = 0; i < count_; ++i) {
        Contained &member = members_[static_cast<size_t>(i)];
        member.is_condemned.store(true, std::memory_order_relaxed);
        if (!thrum::has_ended(*ranks_[static_cast<size_t>(i)]))
            close_process(*ranks_[static_cast<size_t>(i)]->process);
    }
    if (may_wake())
        wake_all();
}

// A rank that waits outside MPI (in thrum_run(), or in a blocking call of the C library) meets the
// closed MPI when it continues.
bool Run::may_wake() const {
    for (int i = 0; i < count_; ++i) {
        const Rank &rank = *ranks_[static_cast<size_t>(i)];
        if (thrum::has_ended(rank) || waits_in_mpi(rank))
            continue;
        const bool waits_outside =
            (rank.state.load(std::memory_order_relaxed) == TaskState::Waiting ||
             rank.blocking_call.load(std::memory_order_relaxed)) &&
            !is_in_mpi(rank);
        // acquire [seen-outside-1]
        if (!waits_outside && !member(i).was_seen_outside.load(std::memory_order_acquire))
            return false;
    }
    return true;
}

// The texts come first: they read the stacks of the ranks, which do not change any more.
void Run::wake_all() {
    read_waits();
    deliver_signals_at_resume(); // installs the hook in which a condemned rank ends
    set_after_suspension([](Task &task) { end_if_condemned(static_cast<RankThread &>(task)); });
    is_woken_ = true;
    for (int i = 0; i < count_; ++i)
        if (!thrum::has_ended(*ranks_[static_cast<size_t>(i)]))
            wake_condemned(members_[static_cast<size_t>(i)]);
}

// Describes what the ranks wait for, and gives each that does its failure.
void Run::read_waits() {
    Snapshot snapshot = take_snapshot_of(ranks_);
    use_own_numbers(snapshot, ranks_);
    const std::vector<std::string> lines =
        condemnation_ == RankEnd::Deadlocked ? deadlock_lines(snapshot) : call_lines(snapshot);
    for (const std::string &line : lines)
        waits_ += (waits_.empty() ? "" : "\n") + line;
    for (int i = 0; i < count_; ++i) {
        const Rank &rank = *ranks_[static_cast<size_t>(i)];
        if (thrum::has_ended(rank) || !waits_in_mpi(rank))
            continue;
        const RankState &state = snapshot.ranks[static_cast<size_t>(i)];
        std::string text = std::string("was ended while it waited in ") +
                           (state.function ? state.function : "MPI");
        if (*state.place)
            text += std::string(" at ") + state.place;
        note_failure(members_[static_cast<size_t>(i)], condemnation_, 0,
                     (text + ": " + reason_).c_str());
    }
}

void Run::hurry(int64_t now) {
    for (int i = 0; i < count_; ++i) {
        const Rank &rank = *ranks_[static_cast<size_t>(i)];
        if (thrum::has_ended(rank))
            continue;
        if (now - condemned_at_ns_ >= abandon_after_ns)
            members_[static_cast<size_t>(i)].is_to_be_abandoned.store(true,
                                                                      std::memory_order_relaxed);
        kick_condemned(rank);
    }
}

int64_t Run::act(int64_t now) {
    if (is_done_.load(std::memory_order_relaxed) && !has_given_up_)
        return never;
    if (condemned_at_ns_ == 0) {
        const int64_t failed_at = failed_at_ns_.load(std::memory_order_relaxed);
        if (deadline_ns_ != 0 && now >= deadline_ns_)
            condemn(RankEnd::TimedOut, "its time limit was over");
        else if (failed_at != 0 && now >= failed_at + grace_ns)
            condemn(RankEnd::TimedOut, "another rank had failed 2 s before");
        else
            return std::min(deadline_ns_ != 0 ? deadline_ns_ : never,
                            failed_at != 0 ? failed_at + grace_ns : never);
    }
    if (!is_woken_ && may_wake())
        wake_all();
    hurry(now);
    if (now - condemned_at_ns_ < give_up_after_ns)
        return now + kick_every_ns;
    if (!is_done_.exchange(true, std::memory_order_relaxed)) {
        has_given_up_ = true;
        done_.complete();
    }
    return has_given_up_ ? now + look_after_left_ns : never;
}

} // namespace thrum
