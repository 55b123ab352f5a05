// The loops of the predefined operations, one per operation and representation.
#pragma once
#include "datatype/op.h"

namespace thrum {

// inout[i] = in[i] op inout[i]
using OpKernel = void (*)(const void *in, void *inout, Count count);

// nullptr: there is none.
OpKernel find_kernel(OpKind op, BasicKind kind);
// Of a predefined operation on a basic or pair datatype; nullptr: not defined (section 6.9.2).
OpKernel find_kernel(const Op &op, const Datatype &datatype);
// MPI_MINLOC and MPI_MAXLOC (section 6.9.4).
OpKernel find_pair_kernel(OpKind op, BasicKind value, BasicKind index);

} // namespace thrum
