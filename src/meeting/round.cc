// Arrival, completion and publication of a round, and disputes between members.
#include "meeting/round.h"

#include "comm/group.h"
#include "comm/span.h"
#include "meeting/branches.h"
#include "meeting/world_end.h"

#include <mpi.h>

namespace thrum {
namespace {

// Sets `word` in all leaves for round number `number`, and wakes its waiters.
void announce(Meeting &meeting, std::atomic<uint64_t> Leaf::*word, uint64_t number) {
    TaskList awake;
    for (int i = 0; i < meeting.leaf_count; ++i) {
        Leaf &leaf = meeting.leaves[i];
        LockGuard guard(leaf.lock);
        // A faster rank may already have announced a later round here.
        if ((leaf.*word).load(std::memory_order_relaxed) <= number) {
            // release [round-1]: publishes arguments, results and scratch.
            (leaf.*word).store(number + 1, std::memory_order_release);
        }
        awake.take_all(leaf.waiters);
    }
    make_all_runnable(awake);
}

} // namespace

bool Attendance::finish_leaf() {
    if (meeting_.branches && !finish_branches()) [[unlikely]]
        return false;
    Round &r = round();
    uint64_t first = 0;
    // relaxed: the word is only compared; the count below orders everything else.
    if (!r.said.compare_exchange_strong(first, what_, std::memory_order_relaxed) &&
        !Announcement::agree(first, what_)) [[unlikely]]
        dispute(first);
    // acq_rel [leaf-1]: the last one sees what all leaves have done.
    return r.arrived.fetch_add(1, std::memory_order_acq_rel) + 1 == meeting_.root_children;
}

// Counts the leaf in at the branches above it. Returns true for the last of the uppermost branch,
// whose caller counts at the root. The last one of a branch prepares it for round number_ + 4: no
// member counts there before this round is complete.
[[gnu::noinline]] bool Attendance::finish_branches() {
    const unsigned slot = number_ % open_rounds;
    return climb_branches(
        member_ >> meeting_.leaf_shift, meeting_.leaf_count, [&](int number, int children) {
            Branch::Count &branch = meeting_.branches[number].counts[slot];
            uint64_t first = 0;
            // relaxed: as in finish_leaf().
            if (!branch.said.compare_exchange_strong(first, what_, std::memory_order_relaxed) &&
                !Announcement::agree(first, what_)) [[unlikely]]
                dispute(first);
            // acq_rel [leaf-1]: the last one sees what all children have done.
            if (branch.arrived.fetch_add(1, std::memory_order_acq_rel) + 1 != children)
                return false;
            branch.arrived.store(0, std::memory_order_relaxed);
            branch.said.store(0, std::memory_order_relaxed);
            return true;
        });
}

void Attendance::complete() {
    Round &r = round();
    // All members have arrived here: none counts in this round, or looks at the one before,
    // afterwards.
    r.arrived.store(0, std::memory_order_relaxed);
    r.said.store(0, std::memory_order_relaxed);
    Round &before = meeting_.rounds[(number_ - 1) % open_rounds];
    before.dispute.clear();
    before.truncated.store(-1, std::memory_order_relaxed);
    if (somebody_listens()) [[unlikely]]
        record_last_arrival(comm_);
    announce(meeting_, &Leaf::completed, number_);
    if (holds_sends()) [[unlikely]]
        end_hold(&r);
}

bool Attendance::claim() {
    Round &r = round();
    uint64_t earlier = r.claimed.load(std::memory_order_relaxed);
    if (earlier <= number_ &&
        r.claimed.compare_exchange_strong(earlier, number_ + 1, std::memory_order_relaxed)) {
        r.publisher = what_;
        return true;
    }
    return false;
}

void Attendance::publish() {
    if (somebody_listens()) [[unlikely]]
        record_publication(comm_);
    announce(meeting_, &Leaf::published, number_);
}

void Attendance::wait_for(Until until) {
    wait_until([this, until] { return reached(until); }, number_, until != Until::Published);
}

void Attendance::wait_to_enter() {
    wait_until([this] { return may_enter(); }, number_ - (open_rounds - 1), true);
}

template <class Condition>
void Attendance::wait_until(Condition condition, uint64_t number, bool needs_all) {
    for (unsigned spins = 0; !condition() && !waits_are_given_up(comm_); ++spins) {
        if (should_spin(spins)) {
            cpu_pause();
            continue;
        }
        leaf_.lock.lock();
        if (condition()) {
            leaf_.lock.unlock();
            return;
        }
        suspend_unlock(number, needs_all);
    }
}

// Suspends the caller, which holds the lock of the leaf. It waits for round number `number`: for
// all members, or for the root.
void Attendance::suspend_unlock(uint64_t number, bool needs_all) {
    RankThread &self = current_rank_thread();
    prepare_to_suspend(self);
    leaf_.waiters.push(self);
    leaf_.lock.unlock();
    const Blockage blockage{.kind = Blockage::Kind::Collective,
                            .needs_all = needs_all,
                            .peer = Announcement::root_or_hash(what_),
                            .communicator = &comm_,
                            .round = number};
    Waiting waiting(self, blockage);
    suspend(self);
}

// Looks again after it has registered: the round may have been completed before that. Where several
// threads call MPI, the others may wait for this one in a lock of their own, and with them what the
// other members need.
void Attendance::hold() {
    const int level = comm_.process->thread_level;
    if (level > MPI_THREAD_FUNNELED || reached(Until::Complete) || !is_call_to_be_held())
        return;
    Completion completion;
    hold_root(&round(), completion);
    if (reached(Until::Complete))
        end_hold(&round());
    const Blockage blockage{.kind = Blockage::Kind::Collective,
                            .needs_all = true,
                            .peer = Announcement::root(what_),
                            .communicator = &comm_,
                            .round = number_};
    Waiting waiting(blockage);
    completion.wait();
}

void Attendance::dispute(uint64_t theirs) {
    round().dispute.record({.calls = {what_, theirs}, .size_bytes = {}, .sentence = {}});
}

void Attendance::dispute_size(size_t size_bytes, int member, size_t their_bytes) {
    round().dispute.record({.kind = Dispute::Kind::Sizes,
                            .calls = {what_, Announcement::signed_by(what_, member)},
                            .size_bytes = {size_bytes, their_bytes},
                            .sentence = {}});
}

void Attendance::dispute_types(Error error) {
    const bool is_amount = error.code() == MPI_ERR_COUNT;
    round().dispute.record({.kind = is_amount ? Dispute::Kind::Sizes : Dispute::Kind::Types,
                            .calls = {what_, what_},
                            .size_bytes = {},
                            .sentence = error_detail(error.code())});
}

// A member that has left its call since then (the root of a broadcast need not wait) is in another
// one, or in none.
const void *Attendance::call_site_of(int member) const {
    const MemberName name(comm_, member);
    const Group &group = name.side == comm_.side ? *comm_.group : *comm_.remote_group;
    const Rank *rank = group[name.rank].rank; // here: members of rounds are in one process
    const void *site = rank->call.call_site.load(std::memory_order_relaxed);
    const ProcessMap *span = comm_.context->span; // then members have other numbers in the meeting
    const Slot &slot = meeting_.slots[span ? span->local_of(member) : member];
    return site && low_half(site) == slot.call_site_low[number_ % open_rounds] ? site : nullptr;
}

// Adds the calls of the two members that the sentence names, except the caller's own, if they are
// known.
Error Attendance::report_dispute(const Dispute &dispute) const {
    const Error error = round_disagreement(comm_, dispute);
    for (uint64_t call : dispute.calls) {
        const int member = Announcement::member(call);
        if (const void *site = call_site_of(member); site && member != member_of(comm_))
            add_other_call(MemberName(comm_, member).text, site);
    }
    return error;
}

Error pass_round(Communicator &comm, uint64_t what, Attendance::Until until) {
    Attendance attendance(comm, what);
    attendance.pass(until);
    return attendance.verdict();
}

} // namespace thrum
