// Combining the contributions of a reduction, always in the order of their members, whoever does it
// and on however many workers (section 6.9.1: the result should be the same whenever the function
// is applied on the same arguments appearing in the same order).
#pragma once
#include "coll/coll.h"
#include "coll/round.h"

namespace thrum {

// What a member of a reduction publishes.
struct Contribution {
    const char *send;
    char *receive;
    Count count;
    size_t size_bytes; // of data in `send`
    const Datatype *type;
};

inline Contribution contribution(const Vector &vector) {
    return {static_cast<const char *>(vector.send), static_cast<char *>(vector.receive),
            vector.count, data_bytes(vector.count, vector.type), &vector.type};
}

// Memory that `count` elements of a datatype take, and where element 0 is in it.
struct Span {
    Count size_bytes;
    Count origin;
    Span(Count count, const Datatype &type);
};

// Applies the operation, knowing what a user function must be given.
class Combiner {
public:
    explicit Combiner(const Vector &vector)
        : op_(vector.op), type_(vector.type), handle_(handle_of(vector.type)) {}

    // accumulator = left op accumulator
    void onto(const char *left, char *accumulator, Count count) const {
        reduce_local(op_, left, accumulator, count, type_, handle_);
    }

    void copy(const char *from, char *to, Count count) const;

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

// The members that contribute, [first, first + count), in rank order.
struct Contributors {
    int first;
    int count;
};

// The part of `count` elements that falls to worker `index` of `workers`.
inline Range part_of(Count count, int index, int workers) {
    return {count / workers * index + count % workers * index / workers,
            count / workers * (index + 1) + count % workers * (index + 1) / workers};
}

// destination[i] = contribution of the first op ... op of the last, for i in `range`; destination
// is the address of element 0. It may be one of the contributions.
void combine_range(const Visit &visit, const Combiner &combiner, Contributors from, Range range,
                   char *destination);

// A whole reduction of a small vector in one round: the last of each leaf combines the leaf's
// contributions, the last of all the leaves' results. Afterwards result() is in the round's room.
Error combine_small(Visit &visit, const Vector &vector, Contribution &mine) MAY_SUSPEND;
// Address of element 0 of what combine_small() left.
const char *combined_result(const Visit &visit, Count count, const Datatype &type);

// What an operation announces about itself: the same at all ranks for predefined ones.
inline int operation_code(const Op &op) {
    return op.predefined ? op.kind + 1 : 255;
}

// Larger vectors are split over the members. Measured in coll_bench.cc.
inline constexpr size_t small_reduction_bytes_max = 8192;

} // namespace thrum
