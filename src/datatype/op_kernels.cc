// The kernels for any x86-64 processor, and the choice among all.
#include "datatype/op_kernels.h"

#include "datatype/op_loops.h"

namespace thrum {

constexpr KernelTable plain_kernels = make_table();
constinit KernelTable kernel_table = plain_kernels;

namespace {

// Runs when the library is loaded, before there are ranks.
[[gnu::constructor]] void choose_kernels() {
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2"))
        kernel_table = avx2_kernels;
}

} // namespace
} // namespace thrum
