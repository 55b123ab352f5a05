// Recognises stack overflows among faults, and computes what stack would have been enough.
#pragma once
#include <cstddef>
#include <cstdint>

namespace thrum {

// The result of a classification.
struct StackFault {
    bool overflow = false;
    size_t used_bytes = 0; // from the top of the stack to the fault
};

// Classifies a fault at `address` with stack pointer `stack_pointer`, on a stack [low, high) whose
// guard is at `low` (a fiber's) or just below it (a thread's). If low is 0 it is no overflow.
StackFault classify_stack_fault(uintptr_t address, uintptr_t stack_pointer, uintptr_t low,
                                uintptr_t high);

// Returns where the frame of a function would end that failed while probing its stack page by page
// (-fstack-clash-protection; GCC's loop holds the end in r11). Returns `stack_pointer` if `pc` is
// not in such a loop.
uintptr_t probed_frame_end(const void *pc, uintptr_t stack_pointer, uintptr_t r11);

// Returns the stack to ask for after an overflow: a power of two, at least four times the current
// one.
size_t advised_stack_bytes(size_t stack_bytes, size_t used_bytes);

// Write "256 KiB" or "8 MiB" for people, and "256K" or "8M" for --stack.
const char *size_text(size_t bytes, char *buffer, size_t size_bytes);
const char *size_argument(size_t bytes, char *buffer, size_t size_bytes);

} // namespace thrum
