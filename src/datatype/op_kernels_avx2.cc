// The kernels for processors with AVX2. Built without fused multiply-add, which rounds differently:
// a program's results must not depend on the processor.
#include "datatype/op_kernels.h"
#include "datatype/op_loops.h"

namespace thrum {

constexpr KernelTable avx2_kernels = make_table();

} // namespace thrum
