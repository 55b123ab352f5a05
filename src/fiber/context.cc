#include "fiber/context.h"

#include "base/gs_base.h"

#include <cstdlib>

namespace thrum {

void *make_context(void *stack_high, void (*entry)(void *), void *argument) {
    auto *sp =
        reinterpret_cast<uint64_t *>(reinterpret_cast<uintptr_t>(stack_high) & ~uintptr_t{63});
    uint32_t mxcsr = 0;
    uint16_t x87_control = 0;
    __asm__("stmxcsr %0; fnstcw %1" : "=m"(mxcsr), "=m"(x87_control));
    *--sp = 0; // end of the frame chain; keeps the stack aligned at the first call
    *--sp = 0;
    *--sp = reinterpret_cast<uint64_t>(&thrum_start_context);
    *--sp = 0;                                    // rbp
    *--sp = 0;                                    // rbx
    *--sp = reinterpret_cast<uint64_t>(entry);    // r12
    *--sp = reinterpret_cast<uint64_t>(argument); // r13
    *--sp = 0;                                    // r14
    *--sp = 0;                                    // r15
    *--sp = mxcsr | uint64_t{x87_control} << 32;
    return sp;
}

SwitchFunction *choose_switch() {
    return has_fsgsbase() ? &thrum_switch_context : &thrum_switch_context_prctl;
}

} // namespace thrum
