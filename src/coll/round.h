// Round: one use of a Meeting; every collective operation is one or more rounds. In round r a
// member arrives (says what it does, publishes its argument) and, if it needs something of the
// others, waits until the round is complete (all have arrived) or published (the root's data are
// there).
//
//   members 0..31  32..63   ...      arrive at their leaf: a lock, a count, a wait list. Neighbours
//       \  leaf 0    leaf 1  /       live on one worker, so a leaf's cache lines stay on one core.
//        \     \       /    /
//          meeting.rounds[r % 4]     the last arrival of each leaf counts here; the last of all
//                                    completes the round: tells every leaf, wakes all in one go
//
// Invariants
// 1. A member arrives at round r only when round r - 3 is complete: a root that does not wait for
//    its receivers is at most three rounds ahead, and what belongs to round r - 4 is free again.
// 2. "Round r is complete" implies that every member has done with round r - 1.
// 3. Rounds complete in order, and `completed` and `published` only grow.
// 4. A wait list is drained as a whole; who finds its condition not met queues up again.
// 5. The partition into leaves depends on the number of members alone, never on workers: so does
//    the order in which contributions are combined.
#pragma once
#include "base/spinlock.h"
#include "coll/meeting.h"
#include "coll/room.h"

#include <cstddef>
#include <cstdint>

namespace thrum {

inline constexpr unsigned open_rounds = 4;
inline constexpr int leaf_members_max = 32;

// Member m of `members` is in leaf m >> leaf_shift_for(members): a function of their number alone
// (invariant 5).
int leaf_shift_for(int members);

// What a member says at its arrival, and who it is, in one word (so that it can be compared and
// swapped): collective 6 bits, phase 2, operation 8, root + 1 in 24 (0: not compared), member 24.
struct Announcement {
    static uint64_t make(Collective collective, int phase = 0, int operation = 0, int root = -1) {
        return static_cast<uint64_t>(collective) << 58 | static_cast<uint64_t>(phase & 3) << 56 |
               static_cast<uint64_t>(operation & 255) << 48 |
               static_cast<uint64_t>((root + 1) & 0xffffff) << 24;
    }

    static uint64_t signed_by(uint64_t what, int member) {
        return (what & ~uint64_t{0xffffff}) | static_cast<unsigned>(member);
    }

    static bool agree(uint64_t a, uint64_t b) { return (a ^ b) < (1u << 24); }

    static Collective collective(uint64_t word) { return static_cast<Collective>(word >> 58); }

    static int phase(uint64_t word) { return static_cast<int>(word >> 56 & 3); }

    static int operation(uint64_t word) { return static_cast<int>(word >> 48 & 255); }

    static int root(uint64_t word) { return static_cast<int>(word >> 24 & 0xffffff) - 1; }

    static int member(uint64_t word) { return static_cast<int>(word & 0xffffff); }
};

struct alignas(64) Leaf {
    SpinLock lock; // guards what follows up to `partial`; held for a few instructions
    int first = 0; // members [first, first + size)
    int size = 0;
    uint16_t arrived[open_rounds] = {};
    TaskList waiters;
    uint64_t said[open_rounds] = {}; // by the first arrival of each round
    // Written with the lock held, read without: number of the last such round, plus 1.
    std::atomic<uint64_t> completed{0};
    std::atomic<uint64_t> published{0};
    // Belongs to the last arrival of a round, then to the last of all, until the round is complete.
    Partial partial;
};

struct alignas(64) Round {
    std::atomic<int> leaves_arrived{0};
    std::atomic<uint64_t> said{0}; // by the first leaf; 0: none yet
    // Number of the round that was last published here, plus 1: set by the publisher, first of all.
    std::atomic<uint64_t> claimed{0};
    // Two announcements that disagree. Written once, by whoever moves `disputed` from 0 to 1.
    std::atomic<int> disputed{0}; // 0, 1: being written, 2: written
    uint64_t disputants[2] = {};
    size_t disputed_bytes[2] = {}; // what they contribute, if that is what differs; else equal
    // Belongs to the publisher before publication, or to the last arrival before completion; read
    // by all afterwards.
    Room room;
    uint64_t publisher = 0; // its announcement
    size_t size_bytes = 0;
    int mode = 0;
    // A member that sends more than its receiver has room for, if any; else -1.
    std::atomic<int> truncated{-1};
};

struct alignas(64) Slot { // of one member
    const void *argument[open_rounds] = {};
    uint64_t next_round = 0;
    uint64_t next_operation = 0; // number of its next non-blocking one
};

static_assert(sizeof(Slot) == 64);

struct CollectiveOperations; // coll/collective_operation.h

struct Meeting {
    int members = 0;
    int leaf_shift = 0; // member m is in leaf m >> leaf_shift
    int leaf_count = 0;
    Leaf *leaves = nullptr;
    Slot *slots = nullptr;
    Round rounds[open_rounds];
    std::atomic<CollectiveOperations *> operations{nullptr}; // non-blocking; made when first needed
};

Meeting &make_meeting(Context &context);

// Of a communicator with one member (MPI_COMM_SELF) seldom anybody needs it, and there is one in
// each rank: made at the first call.
inline Meeting &meeting_of(Context &context) {
    return context.meeting ? *context.meeting : make_meeting(context);
}

// One member's part in one round.
class Visit {
public:
    // Publishes `argument`; first waits until invariant 1 lets this member in.
    [[gnu::always_inline]] Visit(Communicator &comm, uint64_t what,
                                 const void *argument = nullptr) MAY_SUSPEND
        : comm_(comm),
          meeting_(meeting_of(*comm.context)),
          member_(comm.meeting_member),
          leaf_(meeting_.leaves[member_ >> meeting_.leaf_shift]),
          number_(meeting_.slots[member_].next_round++),
          what_(Announcement::signed_by(what, member_of(comm))) {
        if (somebody_listens()) [[unlikely]]
            count_round();
        if (!may_enter()) [[unlikely]]
            wait_to_enter();
        meeting_.slots[member_].argument[number_ % open_rounds] = argument;
    }

    enum class Until : uint8_t { Nothing, Published, Complete };
    // Counts this member in and waits, unless it is the last of its leaf: then returns true at
    // once, and the caller must finish_leaf().
    [[nodiscard]] inline bool arrive(Until until) MAY_SUSPEND;
    // Counts the leaf in. True: this is the last of all, and the caller must complete().
    [[nodiscard]] bool finish_leaf();
    void complete();
    // Makes round().room and its companions visible to those who wait until Published.
    void publish();
    // Whether this member may publish: false if another has (a dispute then).
    bool claim();

    void wait(Until until) MAY_SUSPEND {
        if (!reached(until)) [[unlikely]]
            wait_for(until);
    }

    // arrive(), finish_leaf() and complete(), with nothing to do in between.
    [[gnu::always_inline]] void pass(Until until) MAY_SUSPEND {
        if (!arrive(until))
            return;
        if (finish_leaf())
            complete();
        else
            wait(until);
    }

    // The same; the last arrival of all calls work() for everybody, before they go on.
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

    // acquire [round-2]: what was published is visible; pairs with [round-1].
    bool is_published() const { return leaf_.published.load(std::memory_order_acquire) > number_; }

    // After waiting until Published: false if the round is complete and nobody has published.
    bool was_claimed() const {
        return round().claimed.load(std::memory_order_relaxed) == number_ + 1;
    }

    // Whether two members disagree about this round, as far as is known; final once complete.
    bool disputed() const {
        return round().disputed.load(std::memory_order_acquire) == 2; // acquire [dispute-1]
    }

    void dispute(uint64_t theirs); // records that `theirs` is not what this member does
    // Records that `member` contributes `their_bytes`, this member `size_bytes`.
    void dispute_size(size_t size_bytes, int member, size_t their_bytes);

    Error verdict() const { // success, or the sentence about the dispute
        return disputed() ? disagreement() : success;
    }

    Meeting &meeting() const { return meeting_; }

    // The argument of member 0 in this round; the others' follow, a Slot apart.
    const void *const *arguments() const {
        return &meeting_.slots[0].argument[number_ % open_rounds];
    }

    Round &round() const { return meeting_.rounds[number_ % open_rounds]; }

    // What the last arrival of this round may prepare for the next one.
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
    // acquire [round-2]: pairs with [round-1].
    bool may_enter() const {
        return leaf_.completed.load(std::memory_order_acquire) + (open_rounds - 1) > number_;
    }

    inline bool reached(Until until) const;
    void wait_for(Until until) MAY_SUSPEND;
    void wait_to_enter() MAY_SUSPEND;
    template <class Condition>
    void wait_until(Condition condition) MAY_SUSPEND;
    void record_dispute(uint64_t theirs, size_t size_bytes, size_t their_bytes);
    void suspend_unlock() MAY_SUSPEND;
    [[gnu::cold]] void count_round() const;
    [[gnu::cold]] Error disagreement() const;

    Communicator &comm_;
    Meeting &meeting_;
    int member_;
    Leaf &leaf_;
    uint64_t number_;
    uint64_t what_; // signed
};

inline bool Visit::reached(Until until) const {
    switch (until) {
    case Until::Nothing:
        return true;
    case Until::Published:
        if (is_published())
            return true;
        [[fallthrough]]; // complete and not published: somebody is wrong, and nothing will come
    case Until::Complete:
        // acquire [round-2]: what was contributed is visible; pairs with [round-1].
        return leaf_.completed.load(std::memory_order_acquire) > number_;
    }
    return true;
}

[[gnu::always_inline]] inline bool Visit::arrive(Until until) {
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
        suspend_unlock();
    wait(until);
    return false;
}

} // namespace thrum
