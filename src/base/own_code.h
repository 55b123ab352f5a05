// Which code is this library's own.
#pragma once

extern "C" {
// The ends of the text of the object that this is linked into.
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char text_end[] __asm__("_etext") __attribute__((visibility("hidden")));
}

namespace thrum {

// Returns whether the instruction is in the text of libmpi.
inline bool is_own_code(const void *instruction) {
    return instruction >= __ehdr_start && instruction < text_end;
}

} // namespace thrum
