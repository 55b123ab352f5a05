// Symbols: function names and source lines of addresses in the program, from the symbolize program
// (cmd/symbolize), which reads debug information in a process of its own.
//
// Invariants
// 1. Works in a crash handler: no allocation, no lock; the answer comes within a time limit or not
// at all.
// 2. An address that nobody can name is still printed: "a.out+0x1234", or the bare number.
#pragma once
#include "image/image.h"

#include <cstddef>
#include <cstdint>

namespace thrum {

struct Symbol {
    const void *address = nullptr;
    Location location;
    char function[128] = "";     // "" if unknown
    char place[256] = "";        // "prog.c:17"; "" if unknown
    char inlined_into[256] = ""; // "caller (prog.c:30) < ...": functions into which it was inlined
};

// Finds the symbolize program beside the library. Once, before any report.
void find_symbolizer();

// Where `address` is: locate(), or what the dynamic linker knows where that knows nothing.
Location find_location(const void *address);

// Fills the other members from symbols[i].address. A return address must be lowered by one, so that
// it lies within its call.
void symbolize(Symbol *symbols, size_t count);

// "update (prog.c:17)", "memcpy (libc.so.6)", "a.out+0x1139" or "0x55d0c0de"; cut at `size_bytes`.
const char *symbol_text(const Symbol &symbol, char *buffer, size_t size_bytes);

// "prog.c:17 in update", or what of it is known, for the call that returns to `call_site`.
const char *describe_call_site(const void *call_site, char *buffer, size_t size_bytes);

} // namespace thrum
