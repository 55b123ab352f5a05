// Accumulates (MPI 5.0 section 12.3.4): atomic for each element of a predefined datatype, by means
// of rma/stripe.h. If the origin can access the target's memory, it combines before the call
// returns. Otherwise the target's process combines in the order of arrival. So all accumulates of
// an origin at a target stay in order.
#pragma once
#include "datatype/op.h"
#include "rma/put_get.h"
#include "rma/stripe.h"

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
