// The life of a Meeting, and arrival, completion and publication of a round (coll/round.h).
#include "coll/meeting.h"

#include "base/check.h"
#include "coll/collective_operation.h"
#include "coll/round.h"
#include "coll/spanning.h"
#include "comm/process.h"
#include "comm/tool_counts.h"
#include "rank/rank.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <new>

namespace thrum {
namespace {

void splice(TaskList &list, TaskList &tail) {
    if (tail.empty())
        return;
    (list.last ? list.last->next : list.first) = tail.first;
    list.last = tail.last;
    list.count += tail.count;
    tail = TaskList{};
}

// Tells all leaves that round number `number` has reached `word`, and wakes who waits.
void announce(Meeting &meeting, std::atomic<uint64_t> Leaf::*word, uint64_t number) {
    TaskList awake;
    for (int i = 0; i < meeting.leaf_count; ++i) {
        Leaf &leaf = meeting.leaves[i];
        LockGuard guard(leaf.lock);
        // A later round may have been announced here by a faster rank.
        if ((leaf.*word).load(std::memory_order_relaxed) <= number) {
            // release [round-1]: publishes arguments, results and room; pairs with [round-2].
            (leaf.*word).store(number + 1, std::memory_order_release);
        }
        splice(awake, leaf.waiters);
    }
    make_all_runnable(awake);
}

// The layer comm makes a meeting with each context, and cannot name a layer above itself.
[[gnu::constructor]] void install() {
    set_meeting_functions({new_meeting, delete_meeting});
}

} // namespace

// At least four leaves if there are four members, so that two workers never share one.
int leaf_shift_for(int members) {
    unsigned size = std::bit_floor(static_cast<unsigned>(members < 4 ? 1 : members / 4));
    return std::countr_zero(size < leaf_members_max ? size : unsigned{leaf_members_max});
}

char *Room::at_least(size_t needed_bytes) {
    if (size_bytes < needed_bytes) {
        std::free(bytes);
        size_bytes = std::bit_ceil(needed_bytes < 64 ? size_t{64} : needed_bytes);
        bytes = static_cast<char *>(std::aligned_alloc(64, size_bytes));
        CHECK(bytes != nullptr, "out of memory for %zu bytes of a collective operation",
              size_bytes);
    }
    return bytes;
}

void Room::free() {
    std::free(bytes);
    bytes = nullptr;
    size_bytes = 0;
}

Meeting *new_meeting(int members) {
    CHECK(members > 0 && members < 1 << 24, "%d members", members);
    int shift = leaf_shift_for(members);
    int leaf_count = (members + (1 << shift) - 1) >> shift;
    auto count = [](int n) {
        return static_cast<size_t>(n);
    };
    size_t size_bytes =
        sizeof(Meeting) + count(leaf_count) * sizeof(Leaf) + count(members) * sizeof(Slot);
    void *memory = std::aligned_alloc(alignof(Meeting), size_bytes);
    CHECK(memory != nullptr, "out of memory for a communicator of %d ranks", members);

    auto *meeting = new (memory) Meeting;
    meeting->members = members;
    meeting->leaf_shift = shift;
    meeting->leaf_count = leaf_count;
    meeting->leaves = reinterpret_cast<Leaf *>(meeting + 1);
    meeting->slots = reinterpret_cast<Slot *>(meeting->leaves + leaf_count);
    for (int i = 0; i < leaf_count; ++i) {
        auto *leaf = new (&meeting->leaves[i]) Leaf;
        leaf->first = i << shift;
        leaf->size = std::min(1 << shift, members - leaf->first);
    }
    for (int i = 0; i < members; ++i)
        new (&meeting->slots[i]) Slot;
    return meeting;
}

void delete_meeting(Meeting *meeting) {
    for (int i = 0; i < meeting->leaf_count; ++i)
        meeting->leaves[i].partial.room.free();
    for (Round &round : meeting->rounds)
        round.room.free();
    delete meeting->operations.load(std::memory_order_relaxed);
    std::free(meeting); // every part is trivially destructible but in name
}

Meeting &make_meeting(Context &context) {
    context.meeting = new_meeting(1);
    return *context.meeting;
}

PERFORMANCE_VARIABLE(collective_calls, .category = "collectives",
                     .description = "collective operations that this rank has begun: blocking and "
                                    "non-blocking ones, and starts of persistent ones",
                     .verbosity = MPI_T_VERBOSITY_USER_BASIC);
PERFORMANCE_VARIABLE(comm_collective_calls, .category = "collectives",
                     .description = "collective_calls, of one communicator",
                     .bind = MPI_T_BIND_MPI_COMM, .counted = &collective_calls);
PERFORMANCE_VARIABLE(collective_rounds, .category = "collectives",
                     .description = "times that this rank has met the other members of a "
                                    "communicator; a collective operation takes one to three, the "
                                    "making of a communicator some, too",
                     .verbosity = MPI_T_VERBOSITY_MPIDEV_BASIC);

namespace {

Recorder *recorder_of_caller(const Communicator &comm) {
    return comm.process->mailbox.recorder.load(std::memory_order_acquire); // [recorder-1]
}

} // namespace

void record_collective(const Communicator &comm) {
    if (Recorder *recorder = recorder_of_caller(comm))
        recorder->count_in(comm.context->id, collective_calls);
}

void Visit::count_round() const {
    count_for_tools(*comm_.process, collective_rounds);
}

bool Visit::finish_leaf() {
    Round &r = round();
    uint64_t first = 0;
    // relaxed: only compared; the count below orders everything else.
    if (!r.said.compare_exchange_strong(first, what_, std::memory_order_relaxed) &&
        !Announcement::agree(first, what_)) [[unlikely]]
        dispute(first);
    // acq_rel [leaf-1]: the last one sees what all leaves have done.
    return r.leaves_arrived.fetch_add(1, std::memory_order_acq_rel) + 1 == meeting_.leaf_count;
}

void Visit::complete() {
    Round &r = round();
    // Everybody has arrived here: nobody counts in this round, or looks at the one before, any
    // more.
    r.leaves_arrived.store(0, std::memory_order_relaxed);
    r.said.store(0, std::memory_order_relaxed);
    Round &before = meeting_.rounds[(number_ - 1) % open_rounds];
    before.disputed.store(0, std::memory_order_relaxed);
    before.truncated.store(-1, std::memory_order_relaxed);
    announce(meeting_, &Leaf::completed, number_);
}

bool Visit::claim() {
    Round &r = round();
    uint64_t earlier = r.claimed.load(std::memory_order_relaxed);
    if (earlier <= number_ &&
        r.claimed.compare_exchange_strong(earlier, number_ + 1, std::memory_order_relaxed)) {
        r.publisher = what_;
        return true;
    }
    return false;
}

void Visit::publish() {
    announce(meeting_, &Leaf::published, number_);
}

void Visit::wait_for(Until until) {
    wait_until([this, until] { return reached(until); });
}

void Visit::wait_to_enter() {
    wait_until([this] { return may_enter(); });
}

template <class Condition>
void Visit::wait_until(Condition condition) {
    for (unsigned spins = 0; !condition(); ++spins) {
        if (should_spin(spins)) {
            cpu_pause();
            continue;
        }
        leaf_.lock.lock();
        if (condition()) {
            leaf_.lock.unlock();
            return;
        }
        suspend_unlock();
    }
}

// The caller holds the lock of the leaf.
void Visit::suspend_unlock() {
    Task &self = current_task();
    prepare_to_suspend(self);
    leaf_.waiters.push(self);
    leaf_.lock.unlock();
    const Blockage blockage{.kind = Blockage::Kind::Collective,
                            .peer = Announcement::root(what_),
                            .communicator = &comm_};
    Waiting waiting(blockage);
    suspend();
}

Error meet(Communicator &comm, const void *argument, Collective collective) {
    if (comm.context->span) [[unlikely]]
        return spanning_collective(comm, CollectiveCall(collective));
    Visit visit(comm, Announcement::make(collective), argument);
    visit.pass(Visit::Until::Complete);
    return visit.verdict();
}

const void *argument_of(const Communicator &comm, int member) {
    const Meeting &meeting = *comm.context->meeting;
    uint64_t last_round = meeting.slots[member_of(comm)].next_round - 1;
    return meeting.slots[member].argument[last_round % open_rounds];
}

} // namespace thrum
