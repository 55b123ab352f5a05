// The stack of an OS thread, which a handler of a fault must know. Fibers have theirs in
// fiber/task.h.
#pragma once
#include <cstdint>

namespace thrum {

// The addresses of a stack.
struct ThreadStack {
    uintptr_t low = 0; // 0: not known
    uintptr_t high = 0;
};

// Returns the stack of the calling thread, as find_thread_stack() has found it. Safe in a signal
// handler.
const ThreadStack &thread_stack();
// Finds the stack of the calling thread, at its start. The C library asks the kernel and may
// allocate.
void find_thread_stack();

} // namespace thrum
