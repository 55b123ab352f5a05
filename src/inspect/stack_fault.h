// Which faults are stack overflows, and what stack would have been enough.
#pragma once
#include <cstddef>
#include <cstdint>

namespace thrum {

struct StackFault {
    bool overflow = false;
    size_t used_bytes = 0; // from the top of the stack to the fault
};

// For a fault at `address` while the stack pointer was `stack_pointer`, on a stack [low, high)
// whose guard is at `low` (a fiber's) or just below it (a thread's). No overflow if low is 0.
StackFault classify_stack_fault(uintptr_t address, uintptr_t stack_pointer, uintptr_t low,
                                uintptr_t high);

// Where the frame of a function would end that failed while it was probing its stack, page by page
// (-fstack-clash-protection; GCC's loop holds the end in r11); `stack_pointer` if `pc` is no such
// loop.
uintptr_t probed_frame_end(const void *pc, uintptr_t stack_pointer, uintptr_t r11);

// The stack to ask for after an overflow: a power of two, at least four times the present one.
size_t advised_stack_bytes(size_t stack_bytes, size_t used_bytes);

// "256 KiB", "8 MiB": for people. "256K", "8M": for --stack.
const char *size_text(size_t bytes, char *buffer, size_t size_bytes);
const char *size_argument(size_t bytes, char *buffer, size_t size_bytes);

} // namespace thrum
