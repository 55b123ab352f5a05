// Symbols: function names and source lines of addresses in the program, from the symbolize program
// (cmd/symbolize), which reads debug information in its own process.
//
// Invariants
// 1. Works in a crash handler: no allocation, no lock; the answer comes within a time limit or not
// at all.
// 2. An address without a name is still printed: "a.out+0x1234", or the bare number.
#pragma once
#include "image/image.h"

#include <cstddef>
#include <cstdint>

namespace thrum {

// An address with the names that were found for it. Fixed arrays, since nothing may be allocated.
struct Symbol {
    const void *address = nullptr;
    Location location;
    char function[128] = "";     // "" if unknown
    char place[256] = "";        // "prog.c:17"; "" if unknown
    char inlined_into[256] = ""; // "caller (prog.c:30) < ...": functions into which it was inlined
};

// Finds the symbolize program beside the library. Call it once, before any report.
void find_symbolizer();

// Returns where `address` is, by locate() or else by asking the dynamic linker.
Location find_location(const void *address);

// Fills in the other members from symbols[i].address. A return address must be decremented first,
// so that it is inside its call. Takes two seconds at most.
void symbolize(Symbol *symbols, size_t count);

// Does the same for symbols whose `location` is known, whatever is at their addresses now.
void symbolize_located(Symbol *symbols, size_t count);

// Writes "update (prog.c:17)", "memcpy (libc.so.6)", "a.out+0x1139" or "0x55d0c0de"; truncated to
// `size_bytes`.
const char *symbol_text(const Symbol &symbol, char *buffer, size_t size_bytes);

// Writes "prog.c:17 in update", or as much as is known.
const char *place_text(const Symbol &symbol, char *buffer, size_t size_bytes);

// Writes "prog.c:17 in update", or as much as is known, for the call that returns to `call_site`.
// Starts a process: only for reports and error texts.
const char *describe_call_site(const void *call_site, char *buffer, size_t size_bytes);

// Returns a number that is the same for the same place of all clones of an object.
uint64_t number_of_call_site(const void *call_site);

// Convert between a call site and its code (comm/call_names.h). A code is understood where its file
// is loaded, or was copied from: in the original, whichever clone the call is in; that of a line of
// Python in a process that has made a call from there.
uint64_t code_of_call_site(const void *call_site);
const void *call_site_of_code(uint64_t code);

} // namespace thrum
