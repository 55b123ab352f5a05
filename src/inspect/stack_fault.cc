// Tells stack overflows from other faults (stack_fault.h), by comparing two addresses with the
// stack.
#include "inspect/stack_fault.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>

namespace thrum {
namespace {

// How far below its stack pointer a function may write before it fails: the probes of
// -fstack-clash-protection, pushes, the red zone.
constexpr uintptr_t reach_bytes = 64 << 10;
// A stack pointer further below the stack than this is invalid.
constexpr uintptr_t frame_bytes_max = uintptr_t{1}
                                      << 32; // a stack pointer further below is invalid

// Writes a size in the largest unit in which it is a whole number.
const char *scaled(size_t bytes, const char *const *units, char *buffer, size_t size_bytes) {
    int unit = 0;
    while (unit < 3 && bytes >= 1024 && bytes % 1024 == 0) {
        bytes /= 1024;
        ++unit;
    }
    std::snprintf(buffer, size_bytes, "%zu%s", bytes, units[unit]);
    return buffer;
}

} // namespace

// A fault is an overflow only if the stack is used up and the address is near its end. A wild
// pointer into a guard page elsewhere is not.
StackFault classify_stack_fault(uintptr_t address, uintptr_t stack_pointer, uintptr_t low,
                                uintptr_t high) {
    StackFault fault;
    if (low == 0 || high <= low)
        return fault;
    // The stack is used up: the pointer is below it, or so near its end that a push can fail.
    uintptr_t reach = std::min(reach_bytes, (high - low) / 2);
    bool used_up =
        stack_pointer < low + reach && stack_pointer > low - std::min(low, frame_bytes_max);
    uintptr_t lowest = std::min(low, stack_pointer);
    bool near = address >= lowest - std::min(lowest, reach) && address < low + reach;
    fault.overflow = used_up && near;
    if (fault.overflow)
        fault.used_bytes = high - std::min(address, stack_pointer);
    return fault;
}

// A probe is an orq of 0 to the top of the stack, which GCC emits for each page of a large frame.
uintptr_t probed_frame_end(const void *pc, uintptr_t stack_pointer, uintptr_t r11) {
    static constexpr unsigned char probe[] = {0x48, 0x83, 0x0c, 0x24, 0x00}; // orq $0, (%rsp)
    bool probing = std::memcmp(pc, probe, sizeof probe) == 0;
    bool plausible = r11 < stack_pointer && stack_pointer - r11 < frame_bytes_max;
    return probing && plausible ? r11 : stack_pointer;
}

size_t advised_stack_bytes(size_t stack_bytes, size_t used_bytes) {
    return std::bit_ceil(std::max(4 * stack_bytes, used_bytes));
}

const char *size_text(size_t bytes, char *buffer, size_t size_bytes) {
    static constexpr const char *units[] = {" bytes", " KiB", " MiB", " GiB"};
    return scaled(bytes, units, buffer, size_bytes);
}

const char *size_argument(size_t bytes, char *buffer, size_t size_bytes) {
    static constexpr const char *units[] = {"", "K", "M", "G"};
    return scaled(bytes, units, buffer, size_bytes);
}

} // namespace thrum
