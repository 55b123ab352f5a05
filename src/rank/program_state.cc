// Walks the frames with libgcc's unwinder: its tables tell where this library has saved the
// program's registers.
#include "rank/program_state.h"

#include "base/own_code.h"

#include <unwind.h>

namespace thrum {
namespace {

constexpr uintptr_t stack_bytes_max = 4096;

// Registers that functions keep for their caller, by DWARF's numbers for x86-64: rbx, rbp, r12 to
// r15.
constexpr int kept_registers[] = {3, 6, 12, 13, 14, 15};

// The program's part of the stack, and its registers.
struct Walk {
    uintptr_t low = 0; // of the stack; 0: not reached yet
    uintptr_t high = 0;
    uint64_t state = 0;
};

// Called by the unwinder for each frame. Its "canonical frame address" is where the frame's own
// part of the stack begins.
_Unwind_Reason_Code visit(_Unwind_Context *context, void *argument) {
    Walk &walk = *static_cast<Walk *>(argument);
    const uintptr_t begin = _Unwind_GetCFA(context);
    if (walk.low == 0) {
        if (is_own_code(reinterpret_cast<const void *>(_Unwind_GetIP(context))))
            return _URC_NO_REASON;
        walk.low = walk.high = begin;
        for (int number : kept_registers)
            walk.state = digest(walk.state, _Unwind_GetGR(context, number));
        return _URC_NO_REASON;
    }
    if (begin - walk.low > stack_bytes_max)
        return _URC_END_OF_STACK;
    walk.high = begin;
    return _URC_NO_REASON;
}

// Reads memory between frames, which sanitizers do not let anyone read.
[[gnu::no_sanitize_address, gnu::no_sanitize_thread]] uint64_t with_stack(const Walk &walk) {
    uint64_t state = walk.state;
    for (uintptr_t word = walk.low; word + sizeof(uint64_t) <= walk.high; word += sizeof(uint64_t))
        state = digest(state, *reinterpret_cast<const volatile uint64_t *>(word));
    return state;
}

} // namespace

uintptr_t program_stack_end() {
    Walk walk;
    _Unwind_Backtrace(visit, &walk);
    return walk.low;
}

uint64_t program_state(const void *call_site) {
    Walk walk{.state = reinterpret_cast<uintptr_t>(call_site)};
    _Unwind_Backtrace(visit, &walk);
    if (walk.low == 0)
        return 0;
    const uint64_t state = with_stack(walk);
    return state ? state : 1;
}

} // namespace thrum
