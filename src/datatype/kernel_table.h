// The table of kernels: the loops of the predefined operations, one per operation and
// representation.
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

// The kernels of the operations on single values, by operation and representation; nullptr: none.
struct KernelTable {
    static constexpr int operations = static_cast<int>(OpKind::LogicalXor) + 1;
    static constexpr int kinds = static_cast<int>(BasicKind::Pair) + 1;
    OpKernel kernels[operations][kinds];
};

} // namespace thrum
