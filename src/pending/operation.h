// CollectiveOperation: the shared part of a non-blocking collective operation. Each member has its
// own request (pending/request.h) with a copy of its arguments, and finds the shared part by
// number. The operations of a communicator match in the order of their calls (section 6.12), the
// starts of a persistent one in the order of starts (section 6.13).
//
//   Meeting -> CollectiveOperations -> OperationSequence: number -> CollectiveOperation
//                                   -> free operations        -> OperationLeaf 0, 1, ...
//
// Invariants
// 1. A member counts in once (count_arrival). Afterwards it touches the operation only while its
//    request is pending, while it still has to leave(), or while it holds an invitation.
// 2. An operation loses its key when all members have arrived. It is reused, perhaps by another
//    sequence, when all have left: its memory stays until the context ends, so that a lookup can
//    always read the key.
// 3. Members are partitioned into leaves and branches as in a Meeting, and contributions are
//    combined in the same tree: results have the same bits as those of the blocking form.
#pragma once
#include "base/spinlock.h"
#include "fiber/task.h"
#include "meeting/branches.h"
#include "meeting/collective_call.h"

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace thrum {

struct CollectiveRequest;
class OperationSequence;
struct CollectiveOperations;
struct CollectiveForms; // pending/forms.h

// What went wrong for one member; turned into an error text when its request is completed.
struct Fault {
    enum class Kind : uint8_t { None, Dispute, NoRoot, Truncated, AllTruncated, RootTruncated };
    Kind kind = Kind::None;
    int peer; // the rank that sent too much
    size_t sent_bytes, room_bytes;
    Dispute dispute;
};

// Marks, in CollectiveOperation::requests, a member whose request completed before the other
// members arrived.
inline CollectiveRequest *completed_early() {
    return reinterpret_cast<CollectiveRequest *>(1);
}

// Returns whether the member has arrived and its request is not complete.
inline bool is_pending(const CollectiveRequest *request) {
    return request && request != completed_early();
}

// The members of a leaf, as in a Meeting.
struct alignas(64) OperationLeaf {
    std::atomic<int> arrived{0};
    std::atomic<int> left{0};
    int size = 0;        // number of members
    SpinLock lock;       // guards the next two
    bool closed = false; // all have arrived: no member may wait any more
    // In rooted operations: members that arrived before the root.
    CollectiveRequest *waiting = nullptr;
    // Belongs to the last arrival of the leaf, then to the last of all; `type` was kept.
    Partial partial;

    void drop_type() {
        thrum::drop_type(partial.type);
        partial.type = nullptr;
    }
};

// Up to eight leaves, or branches, that count together (meeting/branches.h).
struct alignas(64) OperationBranch {
    std::atomic<int> arrived{0};
    alignas(64) std::atomic<int> left{0};
};

// The shared part of one operation. Its memory is reused for later ones of the same communicator.
struct alignas(64) CollectiveOperation {
    // Identifies the operation by its sequence and number; no_key once all have arrived.
    static constexpr uint64_t no_key = ~uint64_t{0};
    std::atomic<uint64_t> key{no_key};
    // Written when the operation is made, read by all.
    uint64_t number = 0;                    // in its sequence
    uint64_t said = 0;                      // announcement of the first arrival
    const CollectiveForms *forms = nullptr; // how the first arrival's operation is done
    OperationSequence *sequence = nullptr;
    OperationSequence *series = nullptr; // InitForm: the persistent operation being initialised
    CollectiveOperations *owner = nullptr;
    CollectiveRequest **requests = nullptr; // by member; nullptr: not arrived
    OperationLeaf *leaves = nullptr;
    OperationBranch *branches = nullptr; // nullptr: the leaves count at the root themselves
    CollectiveOperation *next_free = nullptr;
    // The first arrival's call, and the blocking rounds that it had attended before; 0 for starts.
    CallPlace first_call;
    uint64_t rounds_before = 0;

    // Written by arriving members.
    alignas(64) std::atomic<int> arrived{0}; // leaves, or branches if there are any
    DisputeRecord dispute;

    // Written by members that leave.
    alignas(64) std::atomic<int> left{0}; // leaves, or branches if there are any
    std::atomic<int> holds{1}; // one for the members together, and one for each invited helper

    // For rooted operations.
    std::atomic<uint64_t> claimed{0}; // the root's announcement
    CollectiveRequest *root = nullptr;
    std::atomic<bool> published{false}; // the root has arrived: everything below is written
    bool buffered = false;              // its data are in `scratch`, and the root has continued
    std::atomic<int> truncated{-1};     // a member that sends more than the root has room for
    ScratchBuffer scratch;
    size_t scratch_bytes = 0; // bytes of data
    ScratchType scratch_type; // of the data of a rooted operation or a scan

    // For operations that complete before all members have arrived.
    SpinLock lock; // guards the following; in scans also `requests`
    // For barriers between two groups: how many members of each group have arrived, and which wait
    // for the other group.
    int side_arrived[2] = {};
    CollectiveRequest *side_waiting[2] = {};
    // For scans: how many of the lowest members have their result, from which `scratch` continues;
    // whether one more is being made.
    int scanned = 0;
    bool scanning = false;

    // For work in pieces (pending/work.h).
    alignas(64) std::atomic<uint64_t> pieces_taken{0};
    std::atomic<int> pieces_done{0};
    int pieces = 0;
    void (*run_piece)(CollectiveOperation &, CollectiveRequest &runner, int piece) = nullptr;
    void (*finish_pieces)(CollectiveOperation &, CollectiveRequest &runner) = nullptr;
    std::atomic<bool> work_is_open{false};
    CollectiveRequest **items = nullptr; // in rooted operations: the member that each piece serves
    int items_count = 0;

    OperationLeaf &leaf_of(int member) const; // the inline functions are at the end of this file
    Contributors members_of_leaf(int leaf) const;

    // Counts a member in. Returns true for the last one of its leaf, which must call finish_leaf().
    bool arrive_at_leaf(int member);
    // Counts the member's leaf in. Returns true for the last leaf of all, which closes the
    // operation.
    bool finish_leaf(int member);

    bool count_arrival(int member) { return arrive_at_leaf(member) && finish_leaf(member); }

    // Ends the member's use of the operation. Returns true for the last one of all, which must call
    // let_go() for the members' hold.
    [[nodiscard]] bool leave(int member);
    // Releases a hold. The last release frees the operation for another number.
    void let_go();

    // Runs pieces of the work until all are taken, for `runner`, the request of `member`.
    void run_pieces(CollectiveRequest &runner, int member) MAY_SUSPEND;

    // Prepares the operation for its next number; all members have left it.
    void reset();

private:
    // Counts the member's leaf in at the branches above it. Returns true for the last of the
    // uppermost one, whose caller counts at the root.
    bool climb(int member, std::atomic<int> OperationBranch::*counter);
};

// A sequence of operations that match by number.
class OperationSequence {
public:
    OperationSequence(CollectiveOperations &owner, int references);
    ~OperationSequence();
    OperationSequence(const OperationSequence &) = delete;
    OperationSequence &operator=(const OperationSequence &) = delete;

    // Returns the shared part of operation `number`. The first caller makes it, with its
    // `announcement`, `forms` and `rounds_before`.
    CollectiveOperation &find(uint64_t number, uint64_t announcement, const CollectiveForms &forms,
                              uint64_t rounds_before);
    // Deletes the operations in which not all members have arrived. No member looks them up
    // afterwards.
    void clear();

    void close(CollectiveOperation &operation);

    // Returns how many operations before `number` still wait for some member; a hint only.
    int64_t open_before(uint64_t number) const {
        return static_cast<int64_t>(number - closed_.load(std::memory_order_relaxed));
    }

    // Releases a persistent operation's sequence; the last member's request frees it.
    void release();

    DisputeRecord dispute; // members initialised different persistent operations

private:
    // One place for each number of a window, which is at least as long as the distance between the
    // fastest and the slowest member. Written with the owner's lock held, read without it. The
    // operation in a place may have been closed, and may be in use elsewhere.
    struct Table {
        uint64_t mask;
        std::atomic<CollectiveOperation *> *places;
        Table *before; // the smaller table that this one replaced; it may still be read
    };

    CollectiveOperation &find_or_make(uint64_t number, uint64_t announcement,
                                      const CollectiveForms &forms, uint64_t rounds_before);
    CollectiveOperation *open_at(const Table &table, uint64_t place) const;
    Table *enlarge(Table *table);

    CollectiveOperations &owner_;
    const uint64_t first_key_; // the key of number 0
    std::atomic<Table *> table_{nullptr};
    // operations closed so far, or slightly more: they close nearly in order
    std::atomic<uint64_t> closed_{0};
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
    int root_children; // leaves or branches that count in CollectiveOperation::arrived and left
    bool inter;        // whether it is an inter-communicator
    int open_operations_max; // per sequence, before a fast member waits for the others
    std::atomic<uint64_t> sequences{0};
    OperationSequence nonblocking; // includes the initialisations of persistent ones
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

// Counts one more of `all`. Returns true for the last, which is alone by then and needs no
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

inline bool CollectiveOperation::finish_leaf(int member) {
    if (branches && !climb(member, &OperationBranch::arrived)) [[unlikely]]
        return false;
    if (!count_one(arrived, owner->root_children))
        return false;
    sequence->close(*this);
    return true;
}

// All members' use of the operation happens before its reuse.
inline bool CollectiveOperation::leave(int member) {
    OperationLeaf &leaf = leaf_of(member);
    return count_one(leaf.left, leaf.size) &&
           (!branches || climb(member, &OperationBranch::left)) &&
           count_one(left, owner->root_children);
}

inline void CollectiveOperation::let_go() {
    // acquire, acq_rel [holds-1]: the last one sees what the others have done. Only a holder makes
    // another hold, so the last one is alone.
    if (holds.load(std::memory_order_acquire) == 1 ||
        holds.fetch_sub(1, std::memory_order_acq_rel) == 1)
        owner->give_back(*this);
}

// Closes an operation when all members have arrived: none asks for it again, and its place in the
// table is free for another.
inline void OperationSequence::close(CollectiveOperation &operation) {
    closed_.store(operation.number + 1, std::memory_order_relaxed);
    operation.key.store(CollectiveOperation::no_key, std::memory_order_relaxed);
}

inline CollectiveOperation &OperationSequence::find(uint64_t number, uint64_t announcement,
                                                    const CollectiveForms &forms,
                                                    uint64_t rounds_before) {
    const uint64_t key = first_key_ + number;
    // acquire [op-find-1], of table, place and key: what was written before the key.
    if (const Table *table = table_.load(std::memory_order_acquire)) {
        CollectiveOperation *found =
            table->places[key & table->mask].load(std::memory_order_acquire); // [op-find-1]
        if (found && found->key.load(std::memory_order_acquire) == key)       // [op-find-1]
            return *found;
    }
    return find_or_make(number, announcement, forms, rounds_before);
}

// Returns whether so many operations of the sequence are open that a fast member should wait.
inline bool others_are_far_behind(const CollectiveOperation &operation) {
    return operation.sequence->open_before(operation.number) >=
           operation.owner->open_operations_max;
}

CollectiveOperations &make_operations(Meeting &meeting, const Communicator &comm);

// Returns what the members share; makes it at the first call.
inline CollectiveOperations &operations_of(Meeting &meeting, const Communicator &comm) {
    // acquire [operations-1]: they are constructed.
    MeetingAttachment *operations = meeting.operations.load(std::memory_order_acquire);
    return operations ? static_cast<CollectiveOperations &>(*operations)
                      : make_operations(meeting, comm);
}

// An operation that the calling member begins.
struct NextOperation {
    CollectiveOperation &operation;
    bool is_in_order; // the first arrival had called as many blocking operations as the caller
};

// Returns the shared part of the operation that the calling member begins with this announcement.
inline NextOperation next_operation(Communicator &comm, uint64_t announcement,
                                    const CollectiveForms &forms) {
    Meeting &meeting = meeting_of(*comm.context);
    Slot &slot = meeting.slots[comm.meeting_member];
    const uint64_t number = slot.next_operation++, rounds_before = slot.next_round;
    CollectiveOperation &operation =
        operations_of(meeting, comm).nonblocking.find(number, announcement, forms, rounds_before);
    return {operation, operation.rounds_before == rounds_before};
}

} // namespace thrum
