// The loops of the predefined operations, one per operation and representation.
#pragma once
#include "datatype/datatype.h"

namespace thrum {

// The predefined operations, in the order of their constants; a row of the table of kernels each.
enum class OpKind : int {
    Sum,
    Min,
    Max,
    Prod,
    BitAnd,
    BitOr,
    BitXor,
    LogicalAnd,
    LogicalOr,
    LogicalXor,
    MinLoc,
    MaxLoc,
    Replace,
    NoOp
};

// inout[i] = in[i] op inout[i]
using OpKernel = void (*)(const void *in, void *inout, Count count);

// nullptr: there is none.
OpKernel find_kernel(OpKind op, BasicKind kind);
// MPI_MINLOC and MPI_MAXLOC (section 6.9.4).
OpKernel find_pair_kernel(OpKind op, BasicKind value, BasicKind index);

} // namespace thrum
