// Accumulates (MPI 5.0 section 12.3.4): atomic for each element of a predefined datatype, by means
// of rma/stripe.h. If the origin can access the target's memory, it does them before the call
// returns. Otherwise they are done in the order of arrival, so all accumulates of an origin stay in
// order.
#pragma once
#include "datatype/op.h"
#include "rma/put_get.h"
#include "rma/stripe.h"

namespace thrum {

// Computes target = target op origin. `request`: as in transfer.h.
Error accumulate(const OriginBuffer &origin, const TargetBuffer &target, const Op &op, Window &win,
                 OneSidedRequest *request = nullptr) MAY_SUSPEND;

// Does the same; `result` gets the target's old value. MPI_NO_OP: `origin` may be a null pointer.
Error get_accumulate(const OriginBuffer *origin, const OriginBuffer &result,
                     const TargetBuffer &target, const Op &op, Window &win,
                     OneSidedRequest *request = nullptr) MAY_SUSPEND;

// Combines one element of the predefined datatype target.type; target.count is 1.
Error fetch_and_op(const void *origin, void *result, const TargetBuffer &target, const Op &op,
                   Window &win) MAY_SUSPEND;
Error compare_and_swap(const void *origin, const void *compare, void *result,
                       const TargetBuffer &target, Window &win) MAY_SUSPEND;

// Combines for an origin in another process, where everything has been checked. `in` and `out` are
// in packed form and may be null pointers.
struct PackedTarget {
    char *address;
    Count count;
    const Datatype *type; // nullptr: size_bytes dense bytes
    size_t first_byte;    // of the packed form
    size_t size_bytes;    // from there on
};

void combine_packed(OpKind op, const Datatype &element, const void *in, void *out,
                    const PackedTarget &target, const Stripes &stripes);
void swap_if_equal(char *address, const void *compare, const void *origin, void *result,
                   size_t size_bytes, const Stripes &stripes);

} // namespace thrum
