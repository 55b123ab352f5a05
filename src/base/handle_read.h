// Reads of what a program gives as a handle, which may be any number: also the address of no
// memory. The instructions that read are listed in a section of the library. If one of them faults,
// the crash handler lets it find that there is no object (continue_handle_read), so the program
// gets an error of its call, with a line, and not a segmentation fault.
#pragma once
#include <cstddef>
#include <cstdint>

namespace thrum {

// Returns whether `address` is readable and contains `value`. As quick as a plain comparison.
template <auto value>
inline bool holds(const decltype(value) *address) {
    constexpr size_t bytes = sizeof(decltype(value));
    static_assert(bytes == 4 || bytes == 2);
    bool is_equal;
    // The flag ? puts the list of a function that is in a section group into the same group: they
    // are dropped together.
    if constexpr (bytes == 4)
        asm volatile("1: cmpl %[value], %[word]\n"
                     "2: .pushsection handle_reads, \"a?\", @progbits\n"
                     "   .long 1b - ., 2b - .\n"
                     "   .popsection"
                     : "=@cce"(is_equal)
                     : [word] "m"(*address), [value] "i"(value));
    else
        asm volatile("1: cmpw %[value], %[word]\n"
                     "2: .pushsection handle_reads, \"a?\", @progbits\n"
                     "   .long 1b - ., 2b - .\n"
                     "   .popsection"
                     : "=@cce"(is_equal)
                     : [word] "m"(*address), [value] "i"(value));
    return is_equal;
}

// Returns whether `address` is readable and contains a number below 4096, which no address is.
inline bool holds_small_number(const uintptr_t *address) {
    bool is_small;
    asm volatile("1: testq $-4096, %[word]\n"
                 "2: .pushsection handle_reads, \"a?\", @progbits\n"
                 "   .long 1b - ., 2b - .\n"
                 "   .popsection"
                 : "=@ccz"(is_small)
                 : [word] "m"(*address));
    return is_small;
}

// If the interrupted instruction is a read of these functions, makes it find another value, and
// returns true: the thread may go on. `ucontext` is that of a signal handler.
bool continue_handle_read(void *ucontext);

} // namespace thrum
