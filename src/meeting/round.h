// Round: one use of a Meeting; every collective operation is one or more rounds. In round r a
// member arrives: it announces its operation and publishes its argument. If it needs something from
// the others, it waits until the round is complete (all have arrived) or published (the root's data
// are available).
//
//   members 0..31  32..63   ...      arrive at their leaf: a lock, a count, a wait list. Neighbours
//       \  leaf 0    leaf 1  /       live on one worker, so a leaf's cache lines stay on one core.
//        \     \       /    /
//          meeting.rounds[r % 4]     the last arrival of each leaf counts here; of more than eight
//                                    leaves at a branch first (meeting/branches.h). The last of all
//                                    completes the round: marks every leaf, wakes all at once
//
// Invariants
// 1. A member arrives at round r only when round r - 3 is complete: a root that does not wait for
//    its receivers is at most three rounds ahead, and what belongs to round r - 4 is free again.
// 2. "Round r is complete" implies that every member has done with round r - 1.
// 3. Rounds complete in order, and `completed` and `published` only grow.
// 4. A wait list is drained as a whole; a member whose condition is not met queues up again.
// 5. The partition into leaves and branches depends only on the number of members, never on
//    workers; so does the order in which contributions are combined.
#pragma once
#include "check/held_sends.h"
#include "meeting/announcement.h"
#include "meeting/meeting.h"
#include "meeting/participation.h"
#include "rank/rank.h"

namespace thrum {

// One member's part in one round.
class Attendance {
public:
    // Publishes `argument`, after waiting until invariant 1 lets this member in.
    [[gnu::always_inline]] Attendance(Communicator &comm, uint64_t what,
                                      const void *argument = nullptr) MAY_SUSPEND
        : comm_(comm),
          meeting_(meeting_of(*comm.context)),
          member_(comm.meeting_member),
          leaf_(meeting_.leaves[member_ >> meeting_.leaf_shift]),
          number_(meeting_.slots[member_].next_round++),
          what_(Announcement::signed_by(what, member_of(comm))) {
        // Kept in registers across the calls below.
        Slot &slot = meeting_.slots[member_];
        const unsigned round = number_ % open_rounds;
        if (somebody_listens()) [[unlikely]]
            record_round(comm, number_, what_);
        if (!may_enter()) [[unlikely]]
            wait_to_enter();
        slot.argument[round] = argument;
        slot.call_site_low[round] = low_half(current_call_site());
    }

    enum class Until : uint8_t { Nothing, Published, Complete };
    // Counts this member in and waits. For the last member of a leaf it returns true without
    // waiting; that member must call finish_leaf().
    [[nodiscard]] inline bool arrive(Until until) MAY_SUSPEND;
    // Counts the leaf in. Returns true for the last leaf of all, whose caller must call complete().
    [[nodiscard]] bool finish_leaf();
    // Completes the round: all members may continue. Called by the last arrival of all.
    void complete();
    // Makes round().scratch, size and mode available to members that wait until Published.
    void publish();
    // Claims the right to publish. Returns false if another member has claimed it (a dispute).
    bool claim();

    void wait(Until until) MAY_SUSPEND {
        if (!reached(until)) [[unlikely]]
            wait_for(until);
    }

    // Calls arrive(), finish_leaf() and complete(), with no work in between.
    [[gnu::always_inline]] void pass(Until until) MAY_SUSPEND {
        if (!arrive(until))
            return;
        if (finish_leaf())
            complete();
        else
            wait(until);
    }

    // Does the same for a root whose data are published: it need not wait. Under mpiexec --check it
    // waits as if the operation synchronized (check/held_sends.h).
    void pass_as_root() MAY_SUSPEND {
        pass(Until::Nothing);
        if (holds_sends()) [[unlikely]]
            hold();
    }

    // Does what pass() does, but the last arrival of all calls work() for all before they continue.
    template <class Work>
    void pass_with(Work work) MAY_SUSPEND {
        if (!arrive(Until::Complete))
            return;
        if (finish_leaf()) {
            if (!disputed())
                work();
            complete();
        } else {
            wait(Until::Complete);
        }
    }

    // acquire [round-1]: what was published is visible.
    bool is_published() const { return leaf_.published.load(std::memory_order_acquire) > number_; }

    // Returns whether a member has published; called after waiting until Published. False: the
    // round is complete without a publication.
    bool was_claimed() const {
        return round().claimed.load(std::memory_order_relaxed) == number_ + 1;
    }

    // Returns whether two members are known to disagree in this round; final once it is complete.
    bool disputed() const { return round().dispute.get() != nullptr; }

    void dispute(uint64_t theirs); // records that `theirs` differs from what this member does
    // Records that `member` contributes `their_bytes`, but this member `size_bytes`.
    void dispute_size(size_t size_bytes, int member, size_t their_bytes);

    // Records an error about the types of two members.
    void dispute_types(Error error);

    // Returns where a member calls, if it is in this process and still in the call in which it
    // attends this round; nullptr: unknown.
    const void *call_site_of(int member) const;

    // Returns success, or the error about the dispute.
    Error verdict() const {
        const Dispute *dispute = round().dispute.get();
        return dispute ? report_dispute(*dispute) : success;
    }

    const Communicator &comm() const { return comm_; }

    Meeting &meeting() const { return meeting_; }

    // The argument of member 0 in this round; the others' follow at distances of a Slot.
    const void *const *arguments() const {
        return &meeting_.slots[0].argument[number_ % open_rounds];
    }

    Round &round() const { return meeting_.rounds[number_ % open_rounds]; }

    // The next round, for which the last arrival of this one may prepare data.
    Round &next_round() const { return meeting_.rounds[(number_ + 1) % open_rounds]; }

    Leaf &leaf() const { return leaf_; }

    int member() const { return member_; }

    uint64_t what() const { return what_; }

    template <class Argument>
    const Argument &argument(int member) const {
        return *static_cast<const Argument *>(
            meeting_.slots[member].argument[number_ % open_rounds]);
    }

private:
    bool may_enter() const {
        // acquire [round-1]: the members have finished the round before.
        return leaf_.completed.load(std::memory_order_acquire) + (open_rounds - 1) > number_;
    }

    inline bool reached(Until until) const;
    bool finish_branches();
    void wait_for(Until until) MAY_SUSPEND;
    void wait_to_enter() MAY_SUSPEND;
    template <class Condition>
    void wait_until(Condition condition, uint64_t number, bool needs_all) MAY_SUSPEND;
    void suspend_unlock(uint64_t number, bool needs_all) MAY_SUSPEND;
    [[gnu::cold]] void hold() MAY_SUSPEND;
    [[gnu::cold]] Error report_dispute(const Dispute &dispute) const;

    static const void *current_call_site() {
        return current_rank_thread().call.call_site.load(std::memory_order_relaxed);
    }

    static uint32_t low_half(const void *address) {
        return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(address));
    }

    Communicator &comm_;
    Meeting &meeting_;
    int member_;
    Leaf &leaf_;
    uint64_t number_;
    uint64_t what_; // signed by the member
};

inline bool Attendance::reached(Until until) const {
    switch (until) {
    case Until::Nothing:
        return true;
    case Until::Published:
        if (is_published())
            return true;
        [[fallthrough]]; // complete but not published: some member is wrong, and none will publish
    case Until::Complete:
        // acquire [round-1]: what was contributed is visible.
        return leaf_.completed.load(std::memory_order_acquire) > number_;
    }
    return true;
}

[[gnu::always_inline]] inline bool Attendance::arrive(Until until) {
    const unsigned slot = number_ % open_rounds;
    const bool spin = until != Until::Nothing && should_spin(0);
    leaf_.lock.lock();
    if (leaf_.arrived[slot]++ == 0)
        leaf_.said[slot] = what_;
    else if (!Announcement::agree(leaf_.said[slot], what_)) [[unlikely]]
        dispute(leaf_.said[slot]);
    if (leaf_.arrived[slot] == leaf_.size) {
        leaf_.arrived[slot] = 0;
        leaf_.lock.unlock();
        return true;
    }
    if (reached(until)) {
        leaf_.lock.unlock();
        return false;
    }
    if (spin)
        leaf_.lock.unlock();
    else
        suspend_unlock(number_, until != Until::Published);
    wait(until);
    return false;
}

// Attends a round that publishes nothing and needs no work.
Error pass_round(Communicator &comm, uint64_t what,
                 Attendance::Until until = Attendance::Until::Complete) MAY_SUSPEND;

} // namespace thrum
