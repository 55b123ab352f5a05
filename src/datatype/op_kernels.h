// The loops of the predefined operations, one per operation and representation.
#pragma once
#include "datatype/datatype.h"

namespace thrum {

// The predefined operations, in the order of their constants. Each has a row in the table of
// kernels.
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

// Computes inout[i] = in[i] op inout[i].
using OpKernel = void (*)(const void *in, void *inout, Count count);

// Returns the kernel of an operation on values of this kind; nullptr if there is none.
OpKernel find_kernel(OpKind op, BasicKind kind);
// Returns the kernel of MPI_MINLOC or MPI_MAXLOC (section 6.9.4) for these kinds of value and
// index; nullptr if there is none.
OpKernel find_pair_kernel(OpKind op, BasicKind value, BasicKind index);

} // namespace thrum
