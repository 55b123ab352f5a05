// Accumulates (MPI 5.0 section 12.3.4): atomic for each element of a predefined datatype, by
// rma/stripe.h. Done by the origin before the call returns, so all of an origin's come in its
// order.
#pragma once
#include "datatype/op.h"
#include "rma/transfer.h"

namespace thrum {

// target = target op origin
Error accumulate(const OriginBuffer &origin, const TargetBuffer &target, const Op &op, Window &win);

// The same; `result` gets what was there before. MPI_NO_OP: `origin` may be a null pointer.
Error get_accumulate(const OriginBuffer *origin, const OriginBuffer &result,
                     const TargetBuffer &target, const Op &op, Window &win);

// One element of the predefined datatype target.type; target.count is 1.
Error fetch_and_op(const void *origin, void *result, const TargetBuffer &target, const Op &op,
                   Window &win);
Error compare_and_swap(const void *origin, const void *compare, void *result,
                       const TargetBuffer &target, Window &win);

} // namespace thrum
