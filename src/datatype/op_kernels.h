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

// The kernels of the operations on single values, by operation and representation; nullptr: none.
struct KernelTable {
    static constexpr int operations = static_cast<int>(OpKind::LogicalXor) + 1;
    static constexpr int kinds = static_cast<int>(BasicKind::Pair) + 1;
    OpKernel kernels[operations][kinds];
};

extern const KernelTable plain_kernels; // for any processor
extern const KernelTable avx2_kernels;  // only for processors with AVX2
extern KernelTable kernel_table;        // those for this one; not written once there are ranks

// Returns the kernel of an operation on values of this kind; nullptr if there is none.
inline OpKernel find_kernel(OpKind op, BasicKind kind) {
    const auto row = static_cast<int>(op);
    return row < KernelTable::operations ? kernel_table.kernels[row][static_cast<int>(kind)]
                                         : nullptr;
}

// Returns the kernel of MPI_MINLOC or MPI_MAXLOC (section 6.9.4) for these kinds of value and
// index; nullptr if there is none.
OpKernel find_pair_kernel(OpKind op, BasicKind value, BasicKind index);

} // namespace thrum
