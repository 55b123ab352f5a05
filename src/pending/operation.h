// CollectiveOperation: what the members of a non-blocking collective operation share. Each has a
// request of its own (pending/request.h) with a copy of its arguments in it, and finds the
// shared part by its number: the operations of a communicator are matched in the order of their
// calls (section 6.12), the starts of a persistent one in the order of its starts (section 6.13).
//
//   Meeting -> CollectiveOperations -> OperationSequence: number -> CollectiveOperation
//                                   -> free operations        -> OperationLeaf 0, 1, ...
//
// Invariants
// 1. A member counts in once (count_arrival) and then touches the operation only while its request
//    is pending, or if it still has to leave(), or holds a visit (invite).
// 2. An operation loses its key when all have come, and is reused, perhaps by another sequence,
//    when all have left: its memory stays until the context ends, so that whoever looks one up may
//    read its key.
// 3. Members are partitioned into leaves as in a Meeting, and contributions are combined in the
//    same tree: results have the same bits as those of the blocking form.
#pragma once
#include "base/spinlock.h"
#include "fiber/task.h"
#include "meeting/collective_call.h"

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace thrum {

struct CollectiveRequest;
class OperationSequence;
struct CollectiveOperations;
struct CollectiveForms; // pending/forms.h

// What went wrong for one member; made into a sentence when its request is completed.
struct Fault {
    enum class Kind : uint8_t { None, Dispute, NoRoot, Truncated, AllTruncated, RootTruncated };
    Kind kind = Kind::None;
    int peer; // rank that sent too much
    size_t sent_bytes, room_bytes;
    Dispute dispute;
};

// In CollectiveOperation::requests: of a member whose request was completed before the others came.
inline CollectiveRequest *completed_early() {
    return reinterpret_cast<CollectiveRequest *>(1);
}

inline bool is_pending(const CollectiveRequest *request) {
    return request && request != completed_early();
}

struct alignas(64) OperationLeaf {
    std::atomic<int> arrived{0};
    std::atomic<int> left{0};
    int size = 0;                         // members
    SpinLock lock;                        // guards the next two
    bool closed = false;                  // all have come: nobody may wait any more
    CollectiveRequest *waiting = nullptr; // of rooted operations: those that came before the root
    Partial partial;                      // belongs to the last arrival of the leaf, then of all
};

struct alignas(64) CollectiveOperation {
    // Its sequence and number, which no other operation has; no_key once all have come.
    static constexpr uint64_t no_key = ~uint64_t{0};
    std::atomic<uint64_t> key{no_key};
    // Written when it is made, read by all.
    uint64_t number = 0;                    // in its sequence
    uint64_t said = 0;                      // the first arrival's announcement
    const CollectiveForms *forms = nullptr; // of what the first arrival calls
    OperationSequence *sequence = nullptr;
    OperationSequence *series = nullptr; // InitForm: the persistent operation that is initialised
    CollectiveOperations *owner = nullptr;
    CollectiveRequest **requests = nullptr; // by member; nullptr: has not come
    OperationLeaf *leaves = nullptr;
    CollectiveOperation *next_free = nullptr;

    // Written by arrivals.
    alignas(64) std::atomic<int> leaves_arrived{0};
    DisputeRecord dispute;

    // Written by those who leave.
    alignas(64) std::atomic<int> leaves_left{0};
    std::atomic<int> holds{1}; // the members' together, and one for each visit

    // Of rooted operations.
    std::atomic<uint64_t> claimed{0}; // the announcement of the member that is the root
    CollectiveRequest *root = nullptr;
    std::atomic<bool> published{false}; // the root is there: what follows is written
    bool buffered = false;              // its data are in `scratch`: it has gone on
    std::atomic<int> truncated{-1};     // a member that sends more than the root has room for
    ScratchBuffer scratch;
    size_t scratch_bytes = 0; // of data

    // Of operations that complete before all have come.
    SpinLock lock; // guards the following; of scans, `requests` too
    // Barriers between two groups: how many of each have come, and who waits for the other.
    int side_arrived[2] = {};
    CollectiveRequest *side_waiting[2] = {};
    // Scans: members below have their results, from which `scratch` goes on; one is being made.
    int scanned = 0;
    bool scanning = false;

    // Work in pieces (pending/work.h).
    alignas(64) std::atomic<uint64_t> pieces_taken{0}; // from below, and in the upper half above
    std::atomic<int> pieces_done{0};
    int pieces = 0;
    void (*run_piece)(CollectiveOperation &, CollectiveRequest &runner, int piece) = nullptr;
    void (*finish_pieces)(CollectiveOperation &, CollectiveRequest &runner) = nullptr;
    std::atomic<bool> work_is_open{false};
    CollectiveRequest **items = nullptr; // of rooted operations: whom each piece serves
    int items_count = 0;

    OperationLeaf &leaf_of(int member) const; // the inline functions are at the end of this file
    Contributors members_of_leaf(int leaf) const;

    // Counts a member in. True for the last of its leaf: it must finish_leaf().
    bool arrive_at_leaf(int member);
    // True for the last of all: the operation is closed then.
    bool finish_leaf();

    bool count_arrival(int member) { return arrive_at_leaf(member) && finish_leaf(); }

    // The member has no more to do with it. True for the last of all, who must let_go() of the
    // members' hold.
    [[nodiscard]] bool leave(int member);
    // Gives up a hold; the operation is free for another number with the last.
    void let_go();

    // Runs pieces of the work until all are taken, for `runner`, the request of `member`.
    void run_pieces(CollectiveRequest &runner, int member) MAY_SUSPEND;

    void reset();
};

// Operations that match by number.
class OperationSequence {
public:
    OperationSequence(CollectiveOperations &owner, int references);
    ~OperationSequence();
    OperationSequence(const OperationSequence &) = delete;
    OperationSequence &operator=(const OperationSequence &) = delete;

    // The shared part of operation `number`, made by the first who asks, who says `announcement`
    // and calls what is done in `forms`.
    CollectiveOperation &find(uint64_t number, uint64_t announcement, const CollectiveForms &forms);
    // Deletes the operations to which somebody never came. Nobody asks for one any more.
    void clear();

    void close(CollectiveOperation &operation);

    // How many operations before number `number` some member has not come to yet; a hint.
    int64_t open_before(uint64_t number) const {
        return static_cast<int64_t>(number - closed_.load(std::memory_order_relaxed));
    }

    // A persistent operation's: freed with the last member's request.
    void release();

    DisputeRecord dispute; // a persistent operation's members initialised different ones

private:
    // A place for each number of a window at least as long as the fastest member is ahead of the
    // slowest. Written with the owner's lock held, read without. What is in a place may have been
    // closed, and be in use elsewhere by now.
    struct Table {
        uint64_t mask;
        std::atomic<CollectiveOperation *> *places;
        Table *before; // the smaller one in whose place it came: somebody may still read that
    };

    CollectiveOperation &find_or_make(uint64_t number, uint64_t announcement,
                                      const CollectiveForms &forms);
    CollectiveOperation *open_at(const Table &table, uint64_t place) const;
    Table *enlarge(Table *table);

    CollectiveOperations &owner_;
    const uint64_t first_key_; // of number 0
    std::atomic<Table *> table_{nullptr};
    std::atomic<uint64_t> closed_{0}; // operations, or a few more: they are closed in order, nearly
    std::atomic<int> references_;
};

// All that the members of a communicator share for their non-blocking operations.
struct CollectiveOperations final : MeetingAttachment {
    CollectiveOperations(int members, bool inter);
    ~CollectiveOperations() override;
    CollectiveOperations(const CollectiveOperations &) = delete;
    CollectiveOperations &operator=(const CollectiveOperations &) = delete;

    CollectiveOperation *take(); // the caller holds the lock
    void give_back(CollectiveOperation &operation);

    int members, leaf_shift, leaf_count;
    bool inter;              // of an inter-communicator
    int open_operations_max; // of a sequence, before who could go on waits for the others
    std::atomic<uint64_t> sequences{0};
    OperationSequence nonblocking; // and the initialisations of persistent ones
    SpinLock lock;                 // guards the list, and the tables of all sequences
    CollectiveOperation *free_operations = nullptr;
};

inline OperationLeaf &CollectiveOperation::leaf_of(int member) const {
    return leaves[member >> owner->leaf_shift];
}

inline Contributors CollectiveOperation::members_of_leaf(int leaf) const {
    int first = leaf << owner->leaf_shift;
    return {first, std::min(1 << owner->leaf_shift, owner->members - first)};
}

// Counts one more of `all`: true for the last, which is alone by then and needs no
// read-modify-write.
inline bool count_one(std::atomic<int> &counter, int all) {
    // acquire, acq_rel [count-one-1]: the last one sees what the others have done.
    return counter.load(std::memory_order_acquire) + 1 == all ||
           counter.fetch_add(1, std::memory_order_acq_rel) + 1 == all;
}

inline bool CollectiveOperation::arrive_at_leaf(int member) {
    OperationLeaf &leaf = leaf_of(member);
    return count_one(leaf.arrived, leaf.size);
}

inline bool CollectiveOperation::finish_leaf() {
    if (!count_one(leaves_arrived, owner->leaf_count))
        return false;
    sequence->close(*this);
    return true;
}

// Whoever reuses the operation does so after everybody's use.
inline bool CollectiveOperation::leave(int member) {
    OperationLeaf &leaf = leaf_of(member);
    return count_one(leaf.left, leaf.size) && count_one(leaves_left, owner->leaf_count);
}

inline void CollectiveOperation::let_go() {
    // acquire, acq_rel [holds-1]: the last one sees what the others have done. Only a holder makes
    // another hold, so the last one is alone.
    if (holds.load(std::memory_order_acquire) == 1 ||
        holds.fetch_sub(1, std::memory_order_acq_rel) == 1)
        owner->give_back(*this);
}

// All have come: no one will ask for it again. Its place in the table is free for another.
inline void OperationSequence::close(CollectiveOperation &operation) {
    closed_.store(operation.number + 1, std::memory_order_relaxed);
    operation.key.store(CollectiveOperation::no_key, std::memory_order_relaxed);
}

inline CollectiveOperation &OperationSequence::find(uint64_t number, uint64_t announcement,
                                                    const CollectiveForms &forms) {
    const uint64_t key = first_key_ + number;
    // acquire [op-find-1], of table, place and key: what was written before the key.
    if (const Table *table = table_.load(std::memory_order_acquire)) {
        CollectiveOperation *found =
            table->places[key & table->mask].load(std::memory_order_acquire); // [op-find-1]
        if (found && found->key.load(std::memory_order_acquire) == key)       // [op-find-1]
            return *found;
    }
    return find_or_make(number, announcement, forms);
}

// Whether so many operations of the sequence are under way that who could go on waits instead.
inline bool others_are_far_behind(const CollectiveOperation &operation) {
    return operation.sequence->open_before(operation.number) >=
           operation.owner->open_operations_max;
}

CollectiveOperations &make_operations(Meeting &meeting, const Communicator &comm);

inline CollectiveOperations &operations_of(Meeting &meeting, const Communicator &comm) {
    // acquire [operations-1]: they are constructed.
    MeetingAttachment *operations = meeting.operations.load(std::memory_order_acquire);
    return operations ? static_cast<CollectiveOperations &>(*operations)
                      : make_operations(meeting, comm);
}

// The shared part of the operation that the calling member begins with this announcement.
inline CollectiveOperation &next_operation(Communicator &comm, uint64_t announcement,
                                           const CollectiveForms &forms) {
    Meeting &meeting = meeting_of(*comm.context);
    const uint64_t number = meeting.slots[comm.meeting_member].next_operation++;
    return operations_of(meeting, comm).nonblocking.find(number, announcement, forms);
}

} // namespace thrum
