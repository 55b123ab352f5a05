// The test of one load or store: is it near the buffer of an active operation?
#pragma once
#include <stddef.h>
#include <stdint.h>

// The library's, if it is Thrum.
__attribute__((weak)) void thrum_check_access(const void *address, size_t size_bytes, int is_store,
                                              const void *place);

enum { line_bits = 6, index_bits = 20 }; // as in src/check/marked_lines.cc

// How many active buffers have bytes in a line of memory, by the last bits of its number. nullptr:
// another library's program. Written before the program runs.
extern __attribute__((visibility("hidden"))) const uint32_t *thrum_check_lines;

// Shows the library an access if one of its lines is marked.
static inline __attribute__((always_inline)) void
look(const volatile void *address, size_t size_bytes, int is_store, const void *place) {
    if (!thrum_check_lines || size_bytes == 0)
        return;
    const uintptr_t last = ((uintptr_t)address + size_bytes - 1) >> line_bits;
    for (uintptr_t line = (uintptr_t)address >> line_bits; line <= last; ++line)
        if (__builtin_expect(thrum_check_lines[line & ((1u << index_bits) - 1)] != 0, 0)) {
            thrum_check_access((const void *)address, size_bytes, is_store, place);
            return;
        }
}

// Where the program makes the access.
#define PLACE __builtin_return_address(0)
