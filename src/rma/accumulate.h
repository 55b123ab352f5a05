// Accumulates (MPI 5.0 section 12.3.4): atomic for each element of a predefined datatype, by means
// of rma/stripe.h. If the origin can access the target's memory, it combines before the call
// returns. Otherwise the target's process combines in the order of arrival. So all accumulates of
// an origin at a target stay in order.
#pragma once
#include "datatype/op.h"
#include "rma/put_get.h"
#include "rma/stripe.h"

#include <cstring>

namespace thrum {

// Computes target = target op origin. `request`: for the request-based forms with a target in
// another process, otherwise nullptr. Returns an error before anything is changed if arguments,
// datatypes or the epoch are wrong.
Error accumulate(const OriginBuffer &origin, const TargetBuffer &target, const Op &op, Window &win,
                 OneSidedRequest *request = nullptr) MAY_SUSPEND;

// Does the same; `result` gets the target's old value. With MPI_NO_OP `origin` may be a null
// pointer.
Error get_accumulate(const OriginBuffer *origin, const OriginBuffer &result,
                     const TargetBuffer &target, const Op &op, Window &win,
                     OneSidedRequest *request = nullptr) MAY_SUSPEND;

// Returns whether an operation combines with the origin's data: MPI_NO_OP does not, and ignores the
// origin's arguments.
bool reads_origin(const Op &op);

// Returns whether the operation adds integers of 8 bytes, as shared counters do.
inline bool adds_words(const Op &op, const Datatype &element) {
    return op.predefined && op.kind == static_cast<int>(OpKind::Sum) &&
           (element.kind == BasicKind::Int64 || element.kind == BasicKind::Uint64);
}

inline bool are_aligned_words(const void *a, const void *b) {
    return (reinterpret_cast<uintptr_t>(a) | reinterpret_cast<uintptr_t>(b)) % sizeof(int64_t) == 0;
}

// Adds an integer of 8 bytes to another one; it wraps around, as in the kernel. `old` gets the
// value before; nullptr: nothing does.
inline void add_word(void *to, const void *from, void *old) {
    uint64_t value, addend;
    std::memcpy(&value, to, sizeof value);
    std::memcpy(&addend, from, sizeof addend);
    if (old)
        std::memcpy(old, &value, sizeof value);
    value += addend;
    std::memcpy(to, &value, sizeof value);
}

// Does the same while it holds the lock of the stripe.
void add_word_in_stripe(void *to, const void *from, void *old, const WindowPart &part, int shift);

// Does the same atomically. `to` is from element_at(), and adds_words() is true.
inline void add_word_at(void *to, const void *from, void *old, const TargetBuffer &target,
                        const Window &win) {
    if (has_alone(win, target.rank))
        add_word(to, from, old);
    else
        add_word_in_stripe(to, from, old, win.parts[target.rank], win.stripe_shift);
}

// Combines one element of the predefined datatype target.type; target.count must be 1.
Error fetch_and_op(const void *origin, void *result, const TargetBuffer &target, const Op &op,
                   Window &win) MAY_SUSPEND;
// Replaces the element by `origin` if it equals `compare`, bit by bit. `result` gets the old value,
// when the epoch is flushed or ends at the latest.
Error compare_and_swap(const void *origin, const void *compare, void *result,
                       const TargetBuffer &target, Window &win) MAY_SUSPEND;

// Where to combine for an origin in another process, whose process has checked everything.
struct PackedTarget {
    char *address;
    Count count;
    const Datatype *type; // nullptr: size_bytes dense bytes
    size_t first_byte;    // of the packed form
    size_t size_bytes;    // from there on
};

// Combines at this process's memory. `in` (the origin's data) and `out` (for the old values) are in
// packed form and may be null pointers. Runs where a message arrives; does not suspend.
void combine_packed(OpKind op, const Datatype &element, const void *in, void *out,
                    const PackedTarget &target, const Stripes &stripes);
// Does a compare-and-swap on `size_bytes` at `address`, under the lock of its stripe.
void swap_if_equal(char *address, const void *compare, const void *origin, void *result,
                   size_t size_bytes, const Stripes &stripes);

} // namespace thrum
