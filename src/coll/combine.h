// Combining the contributions of a reduction, always in the order of their members, whoever does it
// and on however many workers (section 6.9.1: the result should be the same whenever the function
// is applied on the same arguments appearing in the same order).
#pragma once
#include "meeting/collective_call.h"
#include "meeting/round.h"

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

// Meets, and checks that all members contribute equally much, or nobody may read another's buffer:
// the last arrival of each leaf compares its leaf, the last of all compares the leaves, so the cost
// grows with the members and not with their square. Between the last arrival and the completion it
// calls prepare().
template <class Prepare>
Error meet_with_equal_sizes(Visit &visit, Prepare prepare) MAY_SUSPEND;

inline Error meet_with_equal_sizes(Visit &visit) MAY_SUSPEND {
    return meet_with_equal_sizes(visit, [] {});
}

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

Error meet_again(Communicator &comm, uint64_t what) MAY_SUSPEND;

// Whether the members of the visitor's leaf contribute equally much: called by the last arrival of
// the leaf, which records a dispute if not.
bool leaf_has_equal_sizes(Visit &visit);
// The same for the leaves, by the last arrival of all.
bool leaves_have_equal_sizes(Visit &visit);

template <class Prepare>
Error meet_with_equal_sizes(Visit &visit, Prepare prepare) {
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

} // namespace thrum
