// The life of a CollectiveOperation: the first member makes it, the others find it, it is closed
// when all have arrived and reused when all have left.
#include "pending/operation.h"

#include "base/check.h"

#include <cstdlib>
#include <cstring>
#include <new>

namespace thrum {
namespace {

constexpr uint64_t table_places_min = 8;
constexpr int sequence_shift = 40; // a key has the sequence in its upper bits, the number below

// Allocates the operation, its leaves, branches and two tables of requests (all of them, and those
// of a root's pieces) in one block. Sizes are multiples of 64 bytes, so operations never share a
// cache line.
CollectiveOperation *new_operation(CollectiveOperations &owner) {
    auto members = static_cast<size_t>(owner.members),
         leaves = static_cast<size_t>(owner.leaf_count),
         branches = static_cast<size_t>(count_branches(owner.leaf_count).branches);
    size_t size_bytes = sizeof(CollectiveOperation) + leaves * sizeof(OperationLeaf) +
                        branches * sizeof(OperationBranch) +
                        2 * members * sizeof(CollectiveRequest *);
    size_bytes = (size_bytes + 63) & ~size_t{63};
    void *memory = std::aligned_alloc(alignof(CollectiveOperation), size_bytes);
    CHECK(memory, "out of memory for a collective operation of %d ranks", owner.members);
    auto *operation = new (memory) CollectiveOperation;
    operation->owner = &owner;
    operation->leaves = reinterpret_cast<OperationLeaf *>(operation + 1);
    for (size_t i = 0; i < leaves; ++i) {
        new (&operation->leaves[i]) OperationLeaf;
        operation->leaves[i].size = operation->members_of_leaf(static_cast<int>(i)).count;
    }
    auto *above = reinterpret_cast<OperationBranch *>(operation->leaves + leaves);
    for (size_t i = 0; i < branches; ++i)
        new (&above[i]) OperationBranch;
    if (branches > 0)
        operation->branches = above;
    operation->requests = reinterpret_cast<CollectiveRequest **>(above + branches);
    operation->items = operation->requests + members;
    std::memset(operation->requests, 0, members * sizeof(CollectiveRequest *));
    return operation;
}

void delete_operation(CollectiveOperation *operation) {
    for (int i = 0; i < operation->owner->leaf_count; ++i) {
        operation->leaves[i].drop_type();
        operation->leaves[i].partial.scratch.free();
    }
    operation->scratch.free();
    operation->scratch_type.clear();
    operation->dispute.~DisputeRecord();
    std::free(operation); // all parts are trivially destructible in effect
}

// Returns the next piece for a runner; -1: none is left. Members of the upper half begin at the
// top: a core then reads and writes the same memory as the last time, and the data of its own
// ranks.
int take_piece(CollectiveOperation &operation, bool from_above) {
    constexpr int above_shift = 32;
    // relaxed: [work-1] has published the work.
    const uint64_t taken = operation.pieces_taken.fetch_add(
        uint64_t{1} << (from_above ? above_shift : 0), std::memory_order_relaxed);
    const auto below = static_cast<int>(taken & UINT32_MAX);
    const auto above = static_cast<int>(taken >> above_shift);
    if (below + above >= operation.pieces)
        return -1;
    return from_above ? operation.pieces - 1 - above : below;
}

} // namespace

// Prepares a free operation for its next number. All members have left it, so no order is needed:
// the key that publishes it is stored later.
void CollectiveOperation::reset() {
    series = nullptr;
    arrived.store(0, std::memory_order_relaxed);
    left.store(0, std::memory_order_relaxed);
    for (int i = 0; branches && i < count_branches(owner->leaf_count).branches; ++i) {
        branches[i].arrived.store(0, std::memory_order_relaxed);
        branches[i].left.store(0, std::memory_order_relaxed);
    }
    holds.store(1, std::memory_order_relaxed);
    dispute.clear();
    claimed.store(0, std::memory_order_relaxed);
    root = nullptr;
    buffered = false;
    work_is_open.store(false, std::memory_order_relaxed);
    items_count = 0;
    published.store(false, std::memory_order_relaxed);
    truncated.store(-1, std::memory_order_relaxed);
    scratch_type.clear();
    scanned = 0;
    scanning = false;
    for (int side : {0, 1}) {
        side_arrived[side] = 0;
        side_waiting[side] = nullptr;
    }
    for (int i = 0; i < owner->leaf_count; ++i) {
        OperationLeaf &leaf = leaves[i];
        leaf.arrived.store(0, std::memory_order_relaxed);
        leaf.left.store(0, std::memory_order_relaxed);
        leaf.closed = false;
        leaf.waiting = nullptr;
        leaf.drop_type();
    }
    std::memset(requests, 0, static_cast<size_t>(owner->members) * sizeof(CollectiveRequest *));
}

bool CollectiveOperation::climb(int member, std::atomic<int> OperationBranch::*counter) {
    return climb_branches(
        member >> owner->leaf_shift, owner->leaf_count,
        [&](int branch, int children) { return count_one(branches[branch].*counter, children); });
}

// Runs pieces for the operation's own members and for invited helpers. The one that runs the last
// piece finishes the operation.
void CollectiveOperation::run_pieces(CollectiveRequest &runner, int member) {
    // acquire [work-1]: the host is still inviting, which takes only a moment.
    while (!work_is_open.load(std::memory_order_acquire))
        cpu_pause();
    const int all = pieces; // the operation may be freed after the last piece
    const bool from_above = 2 * member >= owner->members;
    for (;;) {
        const int piece = take_piece(*this, from_above);
        if (piece < 0)
            return;
        run_piece(*this, runner, piece);
        // acq_rel [pieces-1]: the one that finishes sees all pieces done.
        if (pieces_done.fetch_add(1, std::memory_order_acq_rel) + 1 == all)
            finish_pieces(*this, runner);
    }
}

// Limits the open operations: enough to hide a short delay, few enough to stay in a cache; fewer in
// large communicators. With 16, a receiver whose root runs ahead stays runnable so long that an
// idle worker takes it, and the two continue by the slower way between cores.
static int open_operations_for(int members) {
    constexpr int open_operations_min = 4;
    constexpr int open_operations_max = 8;
    constexpr int open_requests_max = 65536;
    return std::clamp(open_requests_max / members, open_operations_min, open_operations_max);
}

OperationSequence::OperationSequence(CollectiveOperations &owner, int references)
    : owner_(owner),
      first_key_(owner.sequences.fetch_add(1, std::memory_order_relaxed) << sequence_shift),
      references_(references) {}

OperationSequence::~OperationSequence() {
    clear();
}

// Returns the operation in a place of the table, unless it has been closed.
inline CollectiveOperation *OperationSequence::open_at(const Table &table, uint64_t place) const {
    CollectiveOperation *there = table.places[place].load(std::memory_order_relaxed);
    if (!there)
        return nullptr;
    uint64_t number = there->key.load(std::memory_order_relaxed) - first_key_;
    return number >> sequence_shift == 0 && (number & table.mask) == place ? there : nullptr;
}

void OperationSequence::clear() {
    Table *table = table_.exchange(nullptr, std::memory_order_relaxed);
    for (uint64_t i = 0; table && i <= table->mask; ++i)
        if (CollectiveOperation *pending = open_at(*table, i))
            delete_operation(pending); // not all members have arrived
    while (table) {
        Table *before = table->before;
        delete[] table->places;
        delete table;
        table = before;
    }
}

// Finds the operation, or makes it if this is the first member to ask. The table grows when the
// place of a number is still in use: a member is then further ahead of the slowest one than the
// table is long.
CollectiveOperation &OperationSequence::find_or_make(uint64_t number, uint64_t announcement,
                                                     const CollectiveForms &forms,
                                                     uint64_t rounds_before) {
    const uint64_t key = first_key_ + number;
    LockGuard guard(owner_.lock);
    Table *table = table_.load(std::memory_order_relaxed);
    if (!table)
        table = enlarge(nullptr);
    while (CollectiveOperation *found = open_at(*table, number & table->mask)) {
        if (found->key.load(std::memory_order_relaxed) == key)
            return *found;
        table = enlarge(table);
    }
    CollectiveOperation &made = *owner_.take();
    made.number = number;
    made.said = announcement;
    made.forms = &forms;
    made.rounds_before = rounds_before;
    made.first_call = current_call();
    made.sequence = this;
    if (Announcement::phase(announcement) == InitForm) [[unlikely]]
        made.series = new OperationSequence(owner_, owner_.members);
    // release [op-find-1]: publishes the above, also to those that read a place of an old table.
    made.key.store(key, std::memory_order_release);
    table->places[key & table->mask].store(&made, std::memory_order_release); // [op-find-1]
    return made;
}

// Doubles the table and enters the open operations. The old table stays: other members may read it.
OperationSequence::Table *OperationSequence::enlarge(Table *table) {
    uint64_t count = table ? 2 * (table->mask + 1) : table_places_min;
    auto *larger = new Table{count - 1, new std::atomic<CollectiveOperation *>[count] {}, table};
    for (uint64_t i = 0; table && i <= table->mask; ++i)
        if (CollectiveOperation *operation = open_at(*table, i))
            larger->places[operation->number & larger->mask].store(operation,
                                                                   std::memory_order_relaxed);
    table_.store(larger, std::memory_order_release); // [op-find-1]
    return larger;
}

void OperationSequence::release() {
    // acq_rel [sequence-1]: the last one sees every other's use done before it frees.
    if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1)
        delete this;
}

CollectiveOperations::CollectiveOperations(int member_count, bool between_groups)
    : members(member_count), leaf_shift(leaf_shift_for(member_count)),
      leaf_count((member_count + (1 << leaf_shift) - 1) >> leaf_shift),
      root_children(count_branches(leaf_count).root_children), inter(between_groups),
      open_operations_max(open_operations_for(member_count)), nonblocking(*this, 1) {}

CollectiveOperations::~CollectiveOperations() {
    nonblocking.clear(); // while everything that its places name still exists
    while (CollectiveOperation *operation = free_operations) {
        free_operations = operation->next_free;
        delete_operation(operation);
    }
}

CollectiveOperation *CollectiveOperations::take() {
    if (CollectiveOperation *operation = free_operations) {
        free_operations = operation->next_free;
        return operation;
    }
    return new_operation(*this);
}

void CollectiveOperations::give_back(CollectiveOperation &operation) {
    operation.reset();
    LockGuard guard(lock);
    operation.next_free = free_operations;
    free_operations = &operation;
}

CollectiveOperations &make_operations(Meeting &meeting, const Communicator &comm) {
    auto *made = new CollectiveOperations(meeting.members, comm.inter);
    MeetingAttachment *operations = nullptr;
    if (meeting.operations.compare_exchange_strong(operations, made, std::memory_order_acq_rel,
                                                   std::memory_order_acquire)) // [operations-1]
        return *made;
    delete made;
    return static_cast<CollectiveOperations &>(*operations);
}

} // namespace thrum
