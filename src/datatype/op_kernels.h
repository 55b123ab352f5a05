// The kernels for this processor.
#pragma once
#include "datatype/kernel_table.h"

namespace thrum {

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
