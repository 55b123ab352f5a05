// Context: the machine state of a fiber that does not run: callee-saved registers, MXCSR and x87
// control word on its own stack, and the FS base.
#pragma once
#include <cstdint>

namespace thrum {

extern "C" {
// Saves the caller's context at *saved_stack_pointer and resumes the one at `stack_pointer`, with
// thread_pointer as FS base (0: keep). Returns when the caller's context is resumed.
void thrum_switch_context(void **saved_stack_pointer, void *stack_pointer, void *thread_pointer);
// Does the same by arch_prctl(2), for processors without FSGSBASE and for valgrind.
void thrum_switch_context_prctl(void **saved_stack_pointer, void *stack_pointer,
                                void *thread_pointer);
// The first frame of every fiber; see make_context().
void thrum_start_context();
}

// Makes a context that, when first resumed, calls entry(argument) on the stack that ends at
// `stack_high`. `entry` must not return. Returns the stack pointer to resume. The new context
// inherits the caller's floating-point control words.
void *make_context(void *stack_high, void (*entry)(void *), void *argument);

// Returns the one of the two switch functions that this machine supports.
using SwitchFunction = decltype(thrum_switch_context);
SwitchFunction *choose_switch();

} // namespace thrum
