// What the reductions have in common, in all forms: how contributions are combined, always in the
// order of their members, whoever does it and on however many workers (section 6.9.1: the result
// should be the same whenever the function is applied on the same arguments appearing in the same
// order).
#pragma once
#include "exchange/process_tree.h"
#include "meeting/collective_call.h"
#include "meeting/round.h"
#include "pending/forms.h"
#include "pending/request.h"
#include "pending/work.h"

#include <memory>
#include <vector>

namespace thrum {

// Where the contributions of all members are: a table of addresses, one entry a member.
class Published {
public:
    // `table`: member 0's entry, the others' are `entry_bytes` apart; a contribution is at
    // `offset_bytes` of what its entry points at.
    Published(const void *table, size_t entry_bytes, size_t offset_bytes = 0)
        : table_(static_cast<const char *>(table)), entry_bytes_(entry_bytes),
          offset_bytes_(offset_bytes) {}

    explicit Published(const Visit &visit) : Published(visit.arguments(), sizeof(Slot)) {}

    const Contribution &operator[](int member) const {
        const char *entry = table_ + static_cast<size_t>(member) * entry_bytes_;
        return *reinterpret_cast<const Contribution *>(
            *reinterpret_cast<const char *const *>(entry) + offset_bytes_);
    }

private:
    const char *table_;
    size_t entry_bytes_, offset_bytes_;
};

// Memory that `count` elements of a datatype take, and where element 0 is in it.
struct VectorSpan {
    Count size_bytes = 0;
    Count origin = 0;
    VectorSpan(Count count, const Datatype &type);
};

// Copies `count` elements of a datatype; `from` and `to` are the addresses of element 0.
void copy_elements(const char *from, char *to, Count count, const Datatype &type);

// Applies the operation, knowing what a user function must be given.
class Combiner {
public:
    explicit Combiner(const Reduction &reduction)
        : op_(*reduction.op), type_(const_cast<Datatype &>(*reduction.mine.type)),
          handle_(handle_of(type_)) {}

    // accumulator = left op accumulator
    void onto(const char *left, char *accumulator, Count count) const {
        reduce_local(op_, left, accumulator, count, type_, handle_);
    }

    void copy(const char *from, char *to, Count count) const {
        copy_elements(from, to, count, type_);
    }

    const Datatype &type() const { return type_; }

private:
    const Op &op_;
    Datatype &type_;
    MPI_Datatype handle_;
};

// A run of elements.
struct Range {
    Count first;
    Count end;
};

// The part of `count` elements that falls to worker `index` of `workers`.
inline Range part_of(Count count, int index, int workers) {
    return {count / workers * index + count % workers * index / workers,
            count / workers * (index + 1) + count % workers * (index + 1) / workers};
}

// The first of `from` that contributes another number of bytes than `size_bytes`; -1 if none does.
int find_odd_size(const Published &published, Contributors from, size_t size_bytes);

// destination[i] = contribution of the first op ... op of the last, for i in `range`; destination
// is the address of element 0. It may be one of the contributions.
void combine_range(const Published &published, const Combiner &combiner, Contributors from,
                   Range range, char *destination);

// The two steps of the reduction of a small vector: of each leaf's contributions, which are of one
// size; then of `leaf_count` leaves, `stride_bytes` apart, into `scratch`.
void combine_leaf(const Published &published, const Combiner &combiner, Contributors leaf,
                  Count count, Partial &partial);
void combine_leaves(const Partial &first, size_t stride_bytes, int leaf_count,
                    const Combiner &combiner, Count count, ScratchBuffer &scratch);
// The result that combine_leaves() left, or the caller's share of it, to its place.
void take_combined(const ScratchBuffer &scratch, const CollectiveCall &call);

// A whole reduction of a small vector in one round: the last of each leaf combines the leaf's
// contributions, the last of all the leaves' results. Afterwards the result is in the round's
// scratch buffer.
Error combine_small(Visit &visit, const Reduction &reduction) MAY_SUSPEND;

// Larger vectors are split over the members. Measured in coll_bench.cc.
inline constexpr size_t small_reduction_bytes_max = 8192;

// Blocking, large: a vector is split into ranges, each combined by one member.

inline constexpr size_t range_bytes_min = 4096; // a smaller range is not worth a member's while

// How many of `members` work on a vector, and which: evenly spread, so that all cores take part.
int workers_for(size_t size_bytes, int members);
int rank_of_worker(int worker, int workers, int members);
// The worker that `rank` is, or -1.
int worker_of_rank(int rank, int workers, int members);

// Whether the members of the visitor's leaf contribute equally much: called by the last arrival of
// the leaf, which records a dispute if not.
bool leaf_has_equal_sizes(Visit &visit);
// The same for the leaves, by the last arrival of all.
bool leaves_have_equal_sizes(Visit &visit);

// Meets, and checks that all members contribute equally much, or nobody may read another's buffer:
// the last arrival of each leaf compares its leaf, the last of all compares the leaves, so the cost
// grows with the members and not with their square. Between the last arrival and the completion it
// calls prepare().
template <class Prepare>
Error meet_with_equal_sizes(Visit &visit, Prepare prepare) MAY_SUSPEND {
    if (visit.arrive(Visit::Until::Complete)) {
        if (!visit.disputed())
            (void)leaf_has_equal_sizes(visit);
        if (visit.finish_leaf()) {
            if (!visit.disputed() && leaves_have_equal_sizes(visit))
                prepare();
            visit.complete();
        } else {
            visit.wait(Visit::Until::Complete);
        }
    }
    return visit.verdict();
}

inline Error meet_with_equal_sizes(Visit &visit) MAY_SUSPEND {
    return meet_with_equal_sizes(visit, [] {});
}

// Non-blocking and persistent. Small: the last of a leaf combines what its leaf contributes, the
// last of all the leaves' results. Large: pieces, each from all send buffers.

Published contributions(const CollectiveOperation &operation);

inline bool is_small(const CollectiveRequest &request) {
    return !request.comm->inter &&
           request.call.reduction.mine.size_bytes <= small_reduction_bytes_max;
}

inline Combiner combiner_of(const CollectiveRequest &request) {
    return Combiner(request.call.reduction);
}

// By the last of a leaf: compares the sizes in it, and combines its contributions if they are
// small. True if it has.
bool combine_own_leaf(CollectiveOperation &operation, CollectiveRequest &last) MAY_SUSPEND;
// By the last of a leaf. True for the last of all, if everybody fits: a small result is in the
// scratch buffer then. Else all are told.
bool finish_leaves(CollectiveOperation &operation, CollectiveRequest &last) MAY_SUSPEND;

// Counts the request in. True for the last of all, as finish_leaves().
inline bool join_reduction(CollectiveOperation &operation, CollectiveRequest &request) MAY_SUSPEND {
    operation.requests[request.member] = &request;
    if (!operation.arrive_at_leaf(request.member))
        return false;
    combine_own_leaf(operation, request);
    return finish_leaves(operation, request);
}

// Takes a small result from the scratch buffer.
void take_reduced(CollectiveRequest &request);

// Two members, who announce these calls, contribute different numbers of bytes.
void record_sizes(CollectiveOperation &operation, uint64_t call, size_t size_bytes,
                  uint64_t their_call, size_t their_bytes);
// Whether all who wait contribute alike; records the dispute if not.
bool members_agree(CollectiveOperation &operation);

inline constexpr size_t piece_bytes = 16384; // of a large reduction: stays in the cache

// Elements of a piece of a reduction, each of `bytes` bytes or a little more; how many pieces.
Range range_of(const Reduction &reduction, int piece, size_t bytes);
int pieces_of(const Reduction &reduction, size_t bytes);

// Between node processes. Members of a process are combined first, in the order of their ranks;
// then the processes' results, along a tree whose subtrees are runs of neighbours: the combination
// depends on the ranks' places alone, never on timing or on the root (section 6.9.1). If the
// operation does not commute and a process's ranks are not neighbours, all contributions travel,
// and are combined in the order of ranks.

// A vector of the operation's type in memory of our own.
class Accumulator {
public:
    Accumulator(Count count, const Datatype &type)
        : span_(count, type), bytes_(new char[static_cast<size_t>(span_.size_bytes) + 1]) {}

    char *elements() const { return bytes_.get() + span_.origin; }

private:
    VectorSpan span_;
    std::unique_ptr<char[]> bytes_;
};

Packet pack_vector(const char *elements, Count count, const Datatype &type);
void unpack_vector(const Packet &packet, char *elements, Count count, const Datatype &type);

// What the members of one side contribute, as this process sees it.
struct Reducing {
    ProcessPart &part;
    int side;              // whose members contribute
    const Reduction &mine; // of any member here: count, datatype and operation are the same at all
    Combiner combiner;
    std::vector<const Contribution *> contributions; // of members here, in rank order

    Reducing(ProcessPart &operation, int contributing);

    Count count() const { return mine.mine.count; }

    const Datatype &type() const { return *mine.mine.type; }

    bool in_rank_order() const {
        return !mine.op->commutative && !part.span.sides[side].consecutive;
    }

    // Everybody here must contribute as many bytes as the others. False: nothing may be combined.
    bool check_size(size_t size_bytes) const;
};

// Those of members here, one by one, to process `index`.
void send_contributions(Reducing &reducing, int index) MAY_SUSPEND;
// Those of all ranks, by rank. None if they are of different sizes.
Flow collect_contributions(Reducing &reducing, std::vector<Packet> &packets) MAY_SUSPEND;

// The position in `list` of the root at process `index`, which is added if it is missing.
int add_root(std::vector<int> &list, int index);
// The result of the contributions of the processes of `list` into `result` at the one at position
// `root`. Processes that have no contribution may be in the list only as the root, and last.
Flow reduce_to(Reducing &reducing, const std::vector<int> &list, int root,
               char *result) MAY_SUSPEND;

} // namespace thrum
