// What the program keeps while it is in a call: a loop in it that counts or measures is in another
// state each time.
#pragma once
#include <cstdint>

namespace thrum {

// Returns the digest of one more word: FNV-1a, by words.
inline uint64_t digest(uint64_t before, uint64_t word) {
    return (before ^ word) * 0x100000001b3;
}

// Returns where the stack of the calling program ends: frames below have returned, or are this
// library's. 0: unknown.
uintptr_t program_stack_end();

// Returns a digest of `call_site`, of the registers that the calling program has left to the callee
// to keep, and of some kilobytes of its stack. Variables in other memory do not count. `call_site`
// is the place of the call as reports show it. Returns 0 if the program's frame is not found.
uint64_t program_state(const void *call_site);

} // namespace thrum
