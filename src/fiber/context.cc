#include "fiber/context.h"

#include <cstdlib>
#include <sys/auxv.h>

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
    constexpr unsigned long hwcap2_fsgsbase = 2; // the kernel allows wrfsbase (Linux 5.9)
    bool usable = (::getauxval(AT_HWCAP2) & hwcap2_fsgsbase) != 0;
    return usable ? &thrum_switch_context : &thrum_switch_context_prctl;
}

} // namespace thrum
